// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How the end of an actor, and the wish that it should end, reach an actor that may trap exits.

#ifndef SMARM_DETAIL_EXIT_DELIVERY_HPP
#define SMARM_DETAIL_EXIT_DELIVERY_HPP

#include <smarm/detail/actor_record.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/pid.hpp>

namespace smarm::detail {

// `from` has ended, which had a link with `to`. Nothing happens if `to` has not, or is gone.
void signal_exit(runtime_state& runtime, pid to, pid from, const exit_reason& reason) noexcept;

// As attendance::shutdown_teller: a message, if the actor traps exits.
bool tell_shutdown_to_trap(slot& s, pid actor, pid from, shutdown_asked how) noexcept;

} // namespace smarm::detail

#endif
