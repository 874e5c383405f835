// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A function that runs in a process of its own beside the test, with a line to talk over: for what a
// process does to itself, as using up its descriptors, or being told to end.

#ifndef SMARM_TEST_OTHER_PROCESS_HPP
#define SMARM_TEST_OTHER_PROCESS_HPP

#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <utility>

namespace smarm_test {

// Its end of the line is non-blocking, for actors. The process has the calling thread only.
class other_process {
public:
  // body(line) returns the exit status.
  template <class Body>
  explicit other_process(Body body) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
      return;
    }
    pid_ = ::fork();
    if (pid_ == 0) {
      const rlimit no_core{};
      (void)::setrlimit(RLIMIT_CORE, &no_core);
      ::close(ends[0]);
      ::_exit(body(ends[1]));
    }
    ::close(ends[1]);
    line_ = ends[0];
  }
  other_process(const other_process&) = delete;
  other_process& operator=(const other_process&) = delete;
  ~other_process() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      (void)end();
    }
    if (line_ >= 0) {
      ::close(line_);
    }
  }

  [[nodiscard]] pid_t id() const noexcept { return pid_; }
  void say(char what) const { (void)!::write(line_, &what, 1); }
  // The next line that it says; empty if it has ended.
  [[nodiscard]] std::string hear() const {
    std::string text;
    for (char c = 0;;) {
      const ssize_t got = ::read(line_, &c, 1);
      if (got < 0 && errno == EINTR) {
        continue;
      }
      if (got <= 0 || c == '\n') {
        return text;
      }
      text += c;
    }
  }
  // Waits for its end: the exit status, or minus the signal that ended it.
  [[nodiscard]] int end() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }

private:
  pid_t pid_ = -1;
  int line_ = -1;
};

} // namespace smarm_test

#endif
