// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What an actor that traps exits receives instead of being stopped.

#ifndef SMARM_EXIT_SIGNAL_HPP
#define SMARM_EXIT_SIGNAL_HPP

#include <smarm/exit_reason.hpp>
#include <smarm/pid.hpp>

namespace smarm {

struct exit_signal {
  // The linked actor that ended, or who asked to shut down; pid::root() for the runtime and for those
  // outside of it.
  pid from;
  // How it ended. exit_kind::shutdown: it was shut down, or the receiver is asked to go.
  exit_reason reason;
};

} // namespace smarm

#endif
