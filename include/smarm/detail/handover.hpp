// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What is handed over at a switch. An actor that gives up the processor picks its successor itself and
// jumps straight to it. It cannot publish itself before the jump, since another scheduler could then run
// a context that is not saved yet. So the word it jumps with carries a pointer and, in the low bits, a
// `handover`: what the successor must do with it, first thing, on its own stack.

#ifndef SMARM_DETAIL_HANDOVER_HPP
#define SMARM_DETAIL_HANDOVER_HPP

#include <cstdint>

namespace smarm::detail {

// What the successor does with the context that was left.
enum class handover : std::uintptr_t {
  none = 0,        // the scheduler's own loop: nothing to publish
  yielded = 1,     // back into the ready queue
  parked = 2,      // publish Parked
  parked_deaf = 3, // the same, but a stop must not end the wait
  host_free = 4,   // the pointer is a stack: its host loop has nothing to run
  on_thread = 5,   // run the actor's errand on the thread's own stack, then go back
  parked_unless_urgent = 6, // publish that; only an urgent stop may end the wait
};
inline constexpr std::uintptr_t handover_mask = 7;

// Something to be done on the thread's own stack.
struct errand {
  void (*run)(errand&) noexcept;
};

} // namespace smarm::detail

#endif
