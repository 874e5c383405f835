// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Actors that start fresh: the stack that each of them gets, and the loop there that calls them.

#include <smarm/detail/scheduler.hpp>

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/stack.hpp>
#include <smarm/detail/stack_account.hpp>
#include <smarm/stop.hpp>

#include <exception>
#include <utility>

namespace smarm::detail {
namespace {

bool wants_own_shape(const slot& s) noexcept {
  const actor_record* record = s.record.load(std::memory_order_acquire);
  return record != nullptr && record->own_stack != nullptr;
}

} // namespace

bool scheduler::refill_host() noexcept {
  spare_host = stacks.try_acquire();
  if (spare_host == nullptr) {
    const quiet_allocation quiet;
    auto fresh = stacks.acquire();
    if (!fresh) {
      return false;
    }
    spare_host = *fresh;
  }
  return true;
}

bool scheduler::find_host(slot& next) noexcept {
  if (wants_own_shape(next) || refill_host()) {
    return true;
  }
  const pid who = next.id();
  next.word.requeue();
  const bool first = runtime.starve(next); // not ours any more
  if (first) {
    // Somebody may sleep on a stack to spare.
    coordination->wake_all();
    // The caller may be about to park: in the sink nothing may wait.
    slot* const caller = current;
    current = &idle;
    runtime.tell_made([who] {
      return report{.kind = report_kind::out_of_stacks,
                    .actor = who,
                    .parent = {},
                    .label = {},
                    .reason = {},
                    .text = "no stack to be had for a ready actor; it starts when another ends. "
                            "Raise vm.max_map_count, or lower config::max_actors"};
    });
    current = caller;
  }
  return false;
}

fcontext_t scheduler::board(slot& next) noexcept {
  stack* host = std::exchange(spare_host, nullptr);
  if (SMARM_UNLIKELY(wants_own_shape(next))) {
    spare_host = host;
    host = std::exchange(next.record.load(std::memory_order_acquire)->own_stack, nullptr);
  }
  next.stack = host;
  if (host->context == nullptr) {
    begin_fiber(host->fiber, host->low(), host->size());
    host->context = make_context(*host, &scheduler::enter_host);
  }
  boarding = host;
  return host->context;
}

void scheduler::note_deep_park(slot& left, fcontext_t saved) noexcept {
  left.masks.deep_stack = true;
  stack& deep = *left.stack;
  deep.note_switch(saved);
  const std::size_t depth = deep.high_water(); // before it may shrink
  deep.note_park(saved);
  const stack_account before(left.stack_account.load(std::memory_order_relaxed));
  left.stack_account.store(before.with(depth, deep.shrinks()), std::memory_order_release);
}

void scheduler::enter_host(transfer_t from) {
  // No locals with destructors here: under the address sanitizer the stack is not known before the
  // landing is done.
  stack& mine = *current_scheduler()->boarding;
  land(from, mine.fiber);
  host_loop(mine);
}

void scheduler::host_loop(stack& mine) {
  for (;;) {
    // Whoever boarded this host, or the line below, set the current actor. The scheduler is asked
    // for anew each time, since the actor may have brought this stack to another thread.
    {
      slot& me = *current_scheduler()->current;
      exit_reason reason;
      step_result result = step_result::finished;
      const guest_fiber guest(mine.fiber);
      try {
        result = me.entry(me);
      } catch (const stop_unwind&) {
        // Classified below, by the flag; another actor's, kept and thrown here, is a failure.
        if (!me.masks.stop_raised) {
          reason = exit_reason::failed(std::current_exception());
        }
      } catch (...) {
        reason = exit_reason::failed(std::current_exception());
      }
      if (result == step_result::finished) {
        scheduler& here = *current_scheduler();
        here.charge(me);
        if (SMARM_LIKELY(reason.kind() == exit_kind::normal && !me.masks.stop_raised &&
                         !me.masks.reason_given &&
                         me.record.load(std::memory_order_relaxed) == nullptr &&
                         me.pinned_to == not_pinned)) {
          here.runtime.bury(here, me);
        } else {
          if (me.masks.reason_given) {
            reason = std::move(me.outcome);
          }
          here.runtime.end_actor(me, std::move(reason));
        }
      } else {
        // It left nothing on this stack, so it may run elsewhere as soon as this is published.
        me.context = nullptr;
        me.stack = nullptr;
        scheduler& here = *current_scheduler();
        here.note(event_kind::park, me);
        here.charge(me);
        here.publish_parked(me);
      }
    }
    scheduler& here = *current_scheduler();
    slot* next = here.next_ready();
    if (next != nullptr) {
      here.claim(*next);
      if (next->context == nullptr && mine.pooled() && !wants_own_shape(*next)) {
        next->stack = &mine;
        here.note(event_kind::resume, *next);
        here.set_current(*next);
        continue;
      }
      if (!here.has_host(*next)) {
        next = nullptr;
      }
    }
    if (next == nullptr) {
      next = &here.idle;
    }
    fcontext_t target = next->context;
    if (target == nullptr) {
      target = here.board(*next);
    }
    here.note(event_kind::resume, *next);
    here.set_current(*next);
    const auto word = reinterpret_cast<std::uintptr_t>(&mine) |
                      static_cast<std::uintptr_t>(handover::host_free);
    if constexpr (contexts_outlive_tenants) {
      leaving(mine.fiber, here.fiber_of(*next));
      land(jump(target, reinterpret_cast<void*>(word)), mine.fiber);
    } else {
      leaving_for_good(mine.fiber, here.fiber_of(*next));
      jump(target, reinterpret_cast<void*>(word));
      __builtin_trap();
    }
  }
}

} // namespace smarm::detail
