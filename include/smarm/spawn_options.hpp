// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a single actor can be given when it is spawned. Everything left out comes from the runtime's
// config.

#ifndef SMARM_SPAWN_OPTIONS_HPP
#define SMARM_SPAWN_OPTIONS_HPP

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace smarm {

//[spawn_options_outline
struct spawn_options {
  static constexpr unsigned anywhere = ~0U;

  // Shown in reports and snapshots; copied.
  std::string_view label = {};

  // Bytes of address space for the stack, and for the guard below it; 0: as config says, which also
  // says what is allowed. A shape of its own costs a mapping at the spawn, where the default comes
  // from a pool.
  std::size_t stack_size = 0;
  std::size_t guard_size = 0;

  // The number of the one scheduler that may run the actor, for code that is tied to a thread.
  unsigned pinned_to = anywhere;
};
//]

namespace detail {
// For functions with an overload that takes options before anything else.
template <class T>
inline constexpr bool is_options = std::is_same_v<T, spawn_options>;
template <class... Arguments>
inline constexpr bool begins_with_options = false;
template <class First, class... Rest>
inline constexpr bool begins_with_options<First, Rest...> =
    is_options<std::remove_cvref_t<First>>;

} // namespace detail

} // namespace smarm

#endif
