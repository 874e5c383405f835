// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The bodies of scheduler.hpp that are inlined and long: from one actor to the next, and what the next one does
// first for the one that it follows.

#ifndef SMARM_DETAIL_IMPL_SCHEDULER_HPP
#define SMARM_DETAIL_IMPL_SCHEDULER_HPP

#include <smarm/detail/scheduler.hpp>

namespace smarm::detail {

SMARM_ALWAYS_INLINE bool scheduler::yield(slot& me) noexcept {
  SMARM_ASSERT(!me.masks.wait_open && "a switch inside a wait scope loses its wake");
  slot* next = next_ready();
  if (next == nullptr) {
    return false;
  }
  claim(*next);
  if (SMARM_UNLIKELY(!has_host(*next))) {
    return false;
  }
  switch_to(me, *next, handover::yielded);
  return true;
}

SMARM_ALWAYS_INLINE void scheduler::park(slot& me, handover how) noexcept {
  slot* next = next_ready();
  if (SMARM_UNLIKELY(next == nullptr)) {
    date_wait(me);
    next = &idle;
  } else {
    claim(*next);
    if (SMARM_UNLIKELY(!has_host(*next))) {
      next = &idle;
    }
  }
  switch_to(me, *next, how);
}

SMARM_ALWAYS_INLINE void scheduler::switch_to(slot& me, slot& next, handover what) noexcept {
  fcontext_t target = next.context;
  if (SMARM_UNLIKELY(target == nullptr)) {
    target = board(next);
  }
  if (is_tracing()) {
    trace_switch(me, next, what);
  }
  charge(me);
  set_current(next);
  if (SMARM_LIKELY(exceptions->empty())) {
    jump_from(me, next, target, what);
  } else {
    jump_with_exceptions(me, next, target, what);
  }
}

SMARM_ALWAYS_INLINE fiber_state& scheduler::fiber_of([[maybe_unused]] slot& s) noexcept {
  if constexpr (contexts_outlive_tenants) {
    return idle_fiber; // empty, and no load is spent on it
  } else {
    return s.stack != nullptr ? s.stack->fiber : idle_fiber;
  }
}

SMARM_ALWAYS_INLINE void scheduler::jump_from(slot& me, slot& next, fcontext_t target,
                                              handover what) noexcept {
  fiber_state& mine = fiber_of(me);
  leaving(mine, fiber_of(next));
  const auto word = reinterpret_cast<std::uintptr_t>(&me) | static_cast<std::uintptr_t>(what);
  land(jump(target, reinterpret_cast<void*>(word)), mine);
}

SMARM_ALWAYS_INLINE void scheduler::land(transfer_t from, fiber_state& mine) noexcept {
  scheduler& here = *current_scheduler();
  const auto word = reinterpret_cast<std::uintptr_t>(from.data);
  const auto what = static_cast<handover>(word & handover_mask);
  if (SMARM_LIKELY(what == handover::yielded || what == handover::parked)) {
    slot& left = *reinterpret_cast<slot*>(word & ~handover_mask);
    arrived(mine, here.fiber_of(left));
    left.context = from.fctx;
    if (what == handover::yielded) {
      here.requeue(left);
    } else {
      here.watch_depth(left, from.fctx);
      here.publish_parked(left);
    }
  } else {
    here.land_rarely(from, mine);
  }
}

SMARM_ALWAYS_INLINE void scheduler::requeue(slot& s) noexcept {
  if (SMARM_UNLIKELY(s.pinned_to != not_pinned)) {
    s.word.requeue();
    make_ready_specially(s);
  } else {
    s.word.requeue();
    (void)queue.push(&s);
  }
}

SMARM_ALWAYS_INLINE void scheduler::watch_depth(slot& left, fcontext_t saved) noexcept {
  const auto depth = reinterpret_cast<std::uintptr_t>(left.stack.load()) -
                     reinterpret_cast<std::uintptr_t>(saved);
  if (SMARM_UNLIKELY(depth > deep_parks || left.masks.deep_stack)) {
    note_deep_park(left, saved);
  }
}

SMARM_ALWAYS_INLINE void scheduler::publish_parked(slot& left) noexcept {
  // Read before the word is published: afterwards the slot may belong to somebody else.
  const std::uint32_t generation = left.word.snapshot().generation;
  if (SMARM_UNLIKELY(!left.word.park(false))) {
    make_ready_again(left); // woken while it was on its way
  } else if (left.stop.after_park(generation, left.word)) {
    make_ready_again(left);
  }
}

} // namespace smarm::detail

#endif
