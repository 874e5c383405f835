// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Runs a function in a child process and tells how that ended: for tests of what must bring a
// process down.

#ifndef SMARM_TEST_CHILD_PROCESS_HPP
#define SMARM_TEST_CHILD_PROCESS_HPP

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace smarm_test {

struct child_end {
  int signal = 0;    // that ended it, or 0
  int status = 0;    // if none
  std::string error; // what it wrote to standard error
};

// `body` returns the exit status. The child has the calling thread only.
template <class Body>
child_end in_child(Body body) {
  int ends[2];
  child_end end;
  if (::pipe(ends) != 0) return end;
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit no_core{};
    (void)::setrlimit(RLIMIT_CORE, &no_core);
    (void)::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::_exit(body());
  }
  ::close(ends[1]);
  char buffer[512];
  for (;;) {
    const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    end.error.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
  return end;
}

} // namespace smarm_test

#endif
