// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Where the guards are: a map from an address to the stack above it that a signal handler can read.
// Every slab is in it from its mapping to its end.

#ifndef SMARM_LIB_GUARD_MAP_HPP
#define SMARM_LIB_GUARD_MAP_HPP

#include <smarm/detail/stack_shape.hpp>

#include <cstddef>

namespace smarm::detail {

// Stacks at a fixed stride; each begins with its guard.
struct guard_range {
  const std::byte* base = nullptr;
  std::size_t count = 0;
  std::size_t stride = 0;
  stack_shape shape{};
};

class guard_record;

// Null when there is no memory for it; overflows there are then reported through the running
// actor's own stack only.
[[nodiscard]] guard_record* add_guards(const guard_range& range) noexcept;
void remove_guards(guard_record* record) noexcept; // null: nothing

struct guard_hit {
  const std::byte* low = nullptr; // of the stack whose guard it is; null: no guard
  stack_shape shape{};
};

// Async-signal-safe.
[[nodiscard]] guard_hit find_guard(const void* address) noexcept;

} // namespace smarm::detail

#endif
