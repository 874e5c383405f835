// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/signal_watch.hpp>

#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>

namespace smarm {
namespace {

// The handler's side. Written by who installs it, before it does (release), and read by the handler on
// any thread (acquire). The pipe is kept for the next watch: a handler on another thread may be about
// to write into it when this one goes.
struct handler_side {
  std::atomic<int> to{-1};
  std::atomic<pid_t> process{0};
};
handler_side installed;
int from = -1;                  // its other end; written by who has `taken`
std::atomic<bool> taken{false}; // exchanged by watches (acquire), reset at their end (release)

void set_action(int signal, void (*handler)(int)) noexcept {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  (void)::sigemptyset(&action.sa_mask);
  (void)::sigaction(signal, &action, nullptr);
}

extern "C" void smarm_on_signal(int signal) {
  const int error = errno;
  if (::getpid() != installed.process.load(std::memory_order_acquire)) {
    set_action(signal, SIG_DFL); // a fork that shares the pipe: its signals are none of ours
    (void)::raise(signal);
  } else {
    const auto byte = static_cast<unsigned char>(signal);
    // A full pipe holds enough of them.
    (void)!::write(installed.to.load(std::memory_order_acquire), &byte, 1);
  }
  errno = error;
}

[[noreturn]] void out_of_descriptors() {
  throw std::system_error(errno, std::system_category(), "smarm::signal_watch: pipe");
}

void open_pipe() {
  if (installed.process.load(std::memory_order_relaxed) == ::getpid()) {
    unsigned char late;
    for (pollfd ready{from, POLLIN, 0}; ::poll(&ready, 1, 0) > 0;) {
      (void)!::read(from, &late, 1);
    }
    return;
  }
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    out_of_descriptors();
  }
  if (::fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    out_of_descriptors();
  }
  from = ends[0];
  installed.to.store(ends[1], std::memory_order_release);
  installed.process.store(::getpid(), std::memory_order_release);
}

} // namespace

struct signal_watch::state {
  callback on_signal;
  std::vector<std::pair<int, struct sigaction>> before; // in the order in which they were replaced
  std::thread reader;

  explicit state(callback call) : on_signal(std::move(call)) {}
  ~state() {
    for (auto at = before.rbegin(); at != before.rend(); ++at) {
      (void)::sigaction(at->first, &at->second, nullptr);
    }
    if (reader.joinable()) {
      const unsigned char over = 0;
      while (::write(installed.to.load(std::memory_order_relaxed), &over, 1) != 1) {
        std::this_thread::yield(); // it is full of signals, which are being read
      }
      reader.join();
    }
    taken.store(false, std::memory_order_release);
  }

  void install(int signal) {
    struct sigaction action {
    }, old{};
    action.sa_handler = smarm_on_signal;
    action.sa_flags = SA_RESTART;
    (void)::sigemptyset(&action.sa_mask);
    before.reserve(before.size() + 1);
    if (::sigaction(signal, &action, &old) != 0) {
      throw boost::system::system_error(make_error_code(errc::invalid_config),
                                        "smarm::signal_watch: " + signal_name(signal) +
                                            " cannot be caught");
    }
    before.emplace_back(signal, old);
  }

  // Its own thread takes none of the process's signals.
  void start_reader() {
    sigset_t all, old;
    (void)::sigfillset(&all);
    (void)::pthread_sigmask(SIG_SETMASK, &all, &old);
    try {
      reader = std::thread([this]() noexcept { read(); });
    } catch (...) {
      (void)::pthread_sigmask(SIG_SETMASK, &old, nullptr);
      throw;
    }
    (void)::pthread_sigmask(SIG_SETMASK, &old, nullptr);
  }

  void read() noexcept {
    for (unsigned count = 0;;) {
      unsigned char signal = 0;
      const ssize_t got = ::read(from, &signal, 1);
      if (got == 1) {
        if (signal == 0) {
          return;
        }
        on_signal(signal, ++count);
      } else if (got == 0 || errno != EINTR) {
        return;
      }
    }
  }
};

signal_watch::signal_watch(const std::vector<int>& signals, callback on_signal) {
  if (taken.exchange(true, std::memory_order_acquire)) {
    throw boost::system::system_error(
        make_error_code(errc::already_waiting),
        "smarm::signal_watch: there is one already; end it first, or give it all the signals");
  }
  try {
    state_ = std::make_unique<state>(std::move(on_signal));
  } catch (...) {
    taken.store(false, std::memory_order_release);
    throw;
  }
  open_pipe();
  state_->start_reader();
  for (const int signal : signals) {
    state_->install(signal);
  }
}

signal_watch::~signal_watch() = default;

std::string signal_name(int signal) {
  switch (signal) {
  case SIGTERM: return "SIGTERM";
  case SIGINT: return "SIGINT";
  case SIGHUP: return "SIGHUP";
  case SIGQUIT: return "SIGQUIT";
  case SIGUSR1: return "SIGUSR1";
  case SIGUSR2: return "SIGUSR2";
  case SIGALRM: return "SIGALRM";
  case SIGCHLD: return "SIGCHLD";
  case SIGCONT: return "SIGCONT";
  case SIGTSTP: return "SIGTSTP";
  case SIGWINCH: return "SIGWINCH";
  case SIGKILL: return "SIGKILL";
  case SIGSTOP: return "SIGSTOP";
  default: return "signal " + std::to_string(signal);
  }
}

void end_by_signal(int signal) noexcept {
  set_action(signal, SIG_DFL);
  sigset_t it;
  (void)::sigemptyset(&it);
  (void)::sigaddset(&it, signal);
  (void)::pthread_sigmask(SIG_UNBLOCK, &it, nullptr);
  (void)::raise(signal);
  std::_Exit(EXIT_FAILURE); // what this signal does by default is nothing
}

} // namespace smarm
