// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The scheduler that the calling thread runs, null on any other thread. Compilers remember the
// address of a thread-local variable across a switch, although the context may go on on another
// thread: so the variable is reached by these accessors only, never by its name, and what they
// return is not kept across a wait.

#ifndef SMARM_DETAIL_THIS_SCHEDULER_HPP
#define SMARM_DETAIL_THIS_SCHEDULER_HPP

#include <smarm/detail/config.hpp>

namespace smarm::detail {

struct scheduler;

void set_current_scheduler(scheduler* own) noexcept;

#if defined(__x86_64__) && !defined(__ILP32__)

// One load relative to the thread pointer; volatile, so that each call is a load of its own.
[[nodiscard]] SMARM_ALWAYS_INLINE scheduler* current_scheduler() noexcept {
  scheduler* own;
  asm volatile("movq smarm_this_scheduler@gottpoff(%%rip), %0\n\t"
               "movq %%fs:(%0), %0"
               : "=r"(own));
  return own;
}

#else

[[nodiscard]] SMARM_NOINLINE scheduler* current_scheduler() noexcept;

#endif

} // namespace smarm::detail

#endif
