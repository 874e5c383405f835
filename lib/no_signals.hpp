// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Signals are blocked for as long as it lives, and for good in the threads that are started meanwhile:
// the program's handlers are not to run there.

#ifndef SMARM_LIB_NO_SIGNALS_HPP
#define SMARM_LIB_NO_SIGNALS_HPP

#include <signal.h>

namespace smarm::detail {

class no_signals {
public:
  no_signals() noexcept {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  no_signals(const no_signals&) = delete;
  no_signals& operator=(const no_signals&) = delete;
  ~no_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
  sigset_t before_;
};

} // namespace smarm::detail

#endif
