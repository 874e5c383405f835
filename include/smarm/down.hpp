// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The message of a monitor: an actor has ended.

#ifndef SMARM_DOWN_HPP
#define SMARM_DOWN_HPP

#include <smarm/exit_reason.hpp>
#include <smarm/pid.hpp>

namespace smarm {

struct down {
  pid actor;
  exit_reason reason; // exit_kind::no_process: it had ended before it was asked after
};

} // namespace smarm

#endif
