// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The bounds of a thread's own stack, where a signal handler on that thread finds them.

#ifndef SMARM_LIB_THREAD_STACK_HPP
#define SMARM_LIB_THREAD_STACK_HPP

#include <cstddef>

namespace smarm::detail {

struct thread_stack {
  const char* what = nullptr; // null: not known for this thread
  const std::byte* low = nullptr;
  std::size_t size = 0;
};

void know_thread_stack(const char* what) noexcept;
void forget_thread_stack() noexcept;

[[nodiscard]] thread_stack this_thread_stack() noexcept; // async-signal-safe

} // namespace smarm::detail

#endif
