// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a supervisor does when a child has ended, and when it gives up.

#ifndef SMARM_SUPERVISOR_OPTIONS_HPP
#define SMARM_SUPERVISOR_OPTIONS_HPP

#include <smarm/restart_backoff.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>

namespace smarm {

// Who is started anew with a child that is.
enum class strategy : unsigned char {
  one_for_one,  // nobody else
  one_for_all,  // all its siblings, which are ended before
  rest_for_one, // those that were started after it
};
inline constexpr strategy one_for_one = strategy::one_for_one;
inline constexpr strategy one_for_all = strategy::one_for_all;
inline constexpr strategy rest_for_one = strategy::rest_for_one;

// Whether the end of significant children, by themselves and for good, ends the supervisor.
enum class auto_shutdown : unsigned char { never, any_significant, all_significant };

// An intensity without a limit: the supervisor never gives up.
inline constexpr unsigned unlimited = std::numeric_limits<unsigned>::max();

//[supervisor_options_outline
struct supervisor_options {
  smarm::strategy strategy = smarm::strategy::one_for_one;

  // More restarts than `intensity` within `period`, and the supervisor gives up: it ends its children,
  // and itself as exit_kind::shutdown. 0: at the first. `unlimited`: it never does. The time that siblings
  // take to end when they are started anew with it does not count.
  unsigned intensity = 1;
  std::chrono::nanoseconds period = std::chrono::seconds(5);

  smarm::auto_shutdown auto_shutdown = smarm::auto_shutdown::never;

  // For children that have none of their own. Default: none.
  restart_backoff backoff = {};

  // If not empty the supervisor has this name, see registry.hpp, and find_supervisor finds it.
  std::string name = {};

  // Shown in reports and snapshots; empty: the name, or "supervisor".
  std::string label = {};

  // Where the time of the window comes from; empty: the steady clock. For tests. Called in the
  // supervisor's actor.
  std::function<std::chrono::steady_clock::time_point()> clock = {};
};
//]

[[nodiscard]] const char* to_string(strategy s) noexcept;
[[nodiscard]] const char* to_string(auto_shutdown a) noexcept;

} // namespace smarm

#endif
