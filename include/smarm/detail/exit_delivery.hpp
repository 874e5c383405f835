// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How the end of an actor, and the wish that it should end, reach an actor that may trap exits.

#ifndef SMARM_DETAIL_EXIT_DELIVERY_HPP
#define SMARM_DETAIL_EXIT_DELIVERY_HPP

#include <smarm/exit_reason.hpp>
#include <smarm/pid.hpp>

#include <cstdint>

namespace smarm::detail {

class runtime_state;

// `from` has ended, which had a link with `to`. Nothing happens if `to` has not, or is gone.
void signal_exit(runtime_state& runtime, pid to, pid from, const exit_reason& reason) noexcept;

enum class shutdown_asked : std::uint8_t {
  directly,
  by_sweep // one of many, of which an actor that traps is told once
};

// A message to an actor that traps exits, a request to any other. False: there is no such actor.
bool shut_down(runtime_state& runtime, pid actor, pid from, shutdown_asked how) noexcept;

} // namespace smarm::detail

#endif
