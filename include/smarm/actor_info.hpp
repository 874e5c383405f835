// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What can be seen of one actor from outside, while it goes on.

#ifndef SMARM_ACTOR_INFO_HPP
#define SMARM_ACTOR_INFO_HPP

#include <smarm/behaviour_kind.hpp>
#include <smarm/pid.hpp>
#include <smarm/wait_kind.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

namespace smarm {

//[actor_info_outline
enum class actor_state : std::uint8_t {
  queued,   // ready, and waits for a scheduler
  running,  // on a scheduler
  notified, // on a scheduler, and what it is about to wait for has come already
  parked,   // waits
  idle,     // a server that waits for messages, without a stack
  ended     // somebody still has its handle
};

// All but pid and state is at its default for an actor that has ended. Counters begin at zero with each
// actor: what a supervisor starts anew is another one.
struct actor_info {
  pid actor;
  pid parent = pid::root(); // who spawned it; pid::root() if that was no actor
  std::string label;
  std::vector<std::string> names; // that are registered for it, 32 at most
  actor_state state = actor_state::ended;
  std::optional<unsigned> scheduler; // that it runs on

  wait_kind waits_for = wait_kind::nothing;
  // Whom it waits for, of the same runtime: the actor to be joined; the server that was called, is being
  // started, or has no room in its inbox; the actor that had the lock when the wait began. None if it is
  // nobody, or not known.
  pid waits_on;
  // If it waits: since when, to about 10 ms; earlier by as long as it had been running, if that was long
  // and without a checkpoint. If it runs: when its scheduler last looked at the clock. Else the epoch.
  std::chrono::steady_clock::time_point since{};
  bool stoppable = true;     // a stop ends this wait; not so in a destructor, or under disable_stop
  bool asked_to_end = false; // it was asked to stop or to shut down
  bool abandoned = false;    // its supervisor has given it up, since it does not end

  bool trap_exit = false;
  std::size_t monitors = 0; // of others, on it
  std::size_t links = 0;
  std::size_t joiners = 0;

  std::size_t inbox_depth = 0; // in the inboxes that it has published, or is called by
  std::uint64_t messages_received = 0;
  std::uint64_t overruns = 0;      // times that a checkpoint found its slice used up
  std::uint64_t budget_cycles = 0; // of the time-stamp counter, spent running; 0 unless the library
                                   // was built with budget-accounting=on

  std::size_t stack_size = 0;       // bytes; 0: it owns no stack now
  std::size_t stack_used = 0;       // if it is parked
  std::size_t stack_high_water = 0; // the most that was in use when it parked; below 16 KiB: now
  std::uint32_t stack_shrinks = 0;  // times that deep pages were given back

  bool supervised = false;    // a supervisor has started it,
  std::uint64_t restarts = 0; // and so often before as that child

  behaviour_kind behaviour = behaviour_kind::none;
  const std::type_info* type = nullptr; // its class, if it has a behaviour
};
//]

// "queued" ...
[[nodiscard]] const char* to_string(actor_state state) noexcept;
std::ostream& operator<<(std::ostream& out, actor_state state);

} // namespace smarm

#endif
