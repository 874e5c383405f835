// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Signals that mean something to the program, SIGTERM above all, as ordinary calls on an ordinary thread:
// nothing has to be safe in a signal handler, and it does not matter which threads there are already.
//
//     smarm::signal_watch watch({SIGTERM, SIGINT}, [&](int signal, unsigned count) { ... });

#ifndef SMARM_SIGNAL_WATCH_HPP
#define SMARM_SIGNAL_WATCH_HPP

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace smarm {

// There is one at a time in a process. Its handler does no more than write a byte into a pipe. A child
// process that was forked, and is no other program yet, ends by these signals as if they were not
// watched.
class signal_watch {
public:
  // Called on the watch's own thread, one call after the other: which signal it is, and how many of all
  // these have come so far, from 1. It may not throw.
  using callback = std::function<void(int signal, unsigned count)>;

  // From now on the signals have that effect and no other. Throws boost::system::system_error:
  // already_waiting if there is another one, invalid_config for a number that is no signal or cannot be
  // caught; std::system_error if the system gives no pipe or thread. Does not wait.
  signal_watch(const std::vector<int>& signals, callback on_signal);
  signal_watch(const signal_watch&) = delete;
  signal_watch& operator=(const signal_watch&) = delete;
  // They have the effect again that they had before. Blocks the thread until a call that has begun has
  // returned; not to be called there.
  ~signal_watch();

private:
  struct state;
  std::unique_ptr<state> state_;
};

// "SIGTERM" for SIGTERM, "signal 42" for one that programs do not usually catch.
[[nodiscard]] std::string signal_name(int signal);

// Ends the process by that signal, as if nobody had caught it. For who was asked often enough.
[[noreturn]] void end_by_signal(int signal) noexcept;

} // namespace smarm

#endif
