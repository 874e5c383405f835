// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Linked to a test, it sends each of its threads a signal every millisecond. The handler is a user's, and
// installed without SA_RESTART, so that system calls are interrupted.

#include <dirent.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace {

std::atomic<unsigned long> handled{0};

extern "C" void note(int) { handled.fetch_add(1, std::memory_order_relaxed); }

class signals {
public:
  signals() {
    struct sigaction action {};
    action.sa_handler = note;
    (void)::sigaction(SIGUSR2, &action, nullptr);
    sender_ = std::thread([this] { send(); });
  }
  ~signals() {
    over_ = true;
    sender_.join();
    if (handled == 0) {
      std::abort(); // the test has tested nothing
    }
  }

private:
  void send() {
    const pid_t process = ::getpid();
    const pid_t me = ::gettid();
    while (!over_) {
      if (DIR* const threads = ::opendir("/proc/self/task")) {
        while (const dirent* entry = ::readdir(threads)) {
          const pid_t thread = std::atoi(entry->d_name);
          if (thread > 0 && thread != me) {
            (void)::syscall(SYS_tgkill, process, thread, SIGUSR2);
          }
        }
        ::closedir(threads);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  std::atomic<bool> over_{false};
  std::thread sender_;
};

const signals while_the_test_runs;

} // namespace
