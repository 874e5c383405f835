// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Where a scheduler finds the actor that runs next, and where it puts those that may not go into just
// any queue.

#include <smarm/detail/scheduler.hpp>

#include "forked_child.hpp"

#include <smarm/detail/cycles.hpp>
#include <smarm/detail/runtime_state.hpp>

#include <algorithm>
#include <utility>

namespace smarm::detail {
namespace {

// How many actors run between two looks at the time-stamp counter.
constexpr unsigned looks_every = 16;

// So many hand-overs through the wake slot, then the queue is served once.
constexpr unsigned wake_slot_bound = 64;

void append(slot*& first, slot*& last, slot& s) noexcept {
  s.next = nullptr;
  (last != nullptr ? last->next : first) = &s;
  last = &s;
}

slot* take_first(slot*& first, slot*& last) noexcept {
  slot* s = first;
  if (s != nullptr) {
    first = s->next;
    if (first == nullptr) {
      last = nullptr;
    }
  }
  return s;
}

} // namespace

void scheduler::offer_surplus() noexcept {
  if (pace.worth_sharing(queue.size())) {
    coordination->wake_for_work(id);
  }
}

void scheduler::date_wait(slot& me) noexcept {
  if (cycles_now() >= next_look) {
    see_clock(monotonic_now());
    me.waiting_since.store(coarse_tick, std::memory_order_release);
  }
}

bool scheduler::look_around() noexcept {
  const std::uint64_t now = cycles_now();
  pace.sample(now, switches.value());
  if (now < next_look) {
    return false;
  }
  next_look = now + runtime.settings.poll_cycles;
  see_clock(monotonic_now());
  runtime.fire_timers(coarse_now);
  // Nobody need ever be idle: the actors to be asked may be those that keep all schedulers busy. A
  // sweep takes its time where the table is large, so most of the time is left to the actors.
  if (SMARM_UNLIKELY(runtime.wants_sweep()) && now >= next_sweep) {
    runtime.sweep();
    const std::uint64_t after = cycles_now();
    next_sweep = after + 8 * (after - now);
  }
  return runtime.driver().needs_sleeper();
}

slot* scheduler::take_pinned() noexcept {
  if (pinned_mail.load(std::memory_order_relaxed) != nullptr) {
    // Acquires what the wakers did; newest first, so it is reversed.
    slot* mail = pinned_mail.exchange(nullptr, std::memory_order_acquire);
    slot* oldest_first = nullptr;
    while (mail != nullptr) {
      slot* next = mail->next;
      mail->next = oldest_first;
      oldest_first = mail;
      mail = next;
    }
    while (oldest_first != nullptr) {
      slot* next = oldest_first->next;
      append(pinned_first, pinned_last, *oldest_first);
      oldest_first = next;
    }
  }
  return take_first(pinned_first, pinned_last);
}

slot* scheduler::take_starved() noexcept {
  if (SMARM_LIKELY(!runtime.starving()) || (spare_host == nullptr && !refill_host())) {
    return nullptr;
  }
  slot* s = runtime.take_starved();
  if (s != nullptr && s->pinned_to != not_pinned && s->pinned_to != id) {
    // The stack goes where the actor has to.
    runtime.stacks.release(std::exchange(spare_host, nullptr));
    runtime.schedulers[s->pinned_to]->deliver_pinned(*s);
    return nullptr;
  }
  return s;
}

// By the owner. Without siblings nobody else is at it.
slot* scheduler::exchange_wake_slot(slot* entry) noexcept {
  if (solo) {
    slot* const before = wake_slot_entry.load(std::memory_order_relaxed);
    wake_slot_entry.store(entry, std::memory_order_relaxed);
    return before;
  }
  return wake_slot_entry.exchange(entry, std::memory_order_acq_rel);
}

slot* scheduler::take_wake_slot() noexcept {
  slot* const woken = exchange_wake_slot(nullptr);
  if (woken == nullptr) {
    return queue.pop();
  }
  if (++wake_slot_run >= wake_slot_bound) {
    // Two actors that keep waking each other must not keep the others waiting.
    wake_slot_run = 0;
    slot* next = queue.pop();
    (void)queue.push(woken);
    return next != nullptr ? next : queue.pop();
  }
  wake_slot_hits.add();
  return woken;
}

// As with a lone item of a queue: its owner will most likely run it in a moment, so this is for those who
// look because somebody has been busy for long.
slot* scheduler::rob_wake_slots() noexcept {
  for (const auto& sibling : runtime.schedulers) {
    if (sibling.get() != this &&
        sibling->wake_slot_entry.load(std::memory_order_relaxed) != nullptr) {
      if (slot* const s = sibling->wake_slot_entry.exchange(nullptr, std::memory_order_acquire)) {
        return s;
      }
    }
  }
  return nullptr;
}

bool scheduler::a_wake_slot_is_taken() const noexcept {
  return std::any_of(runtime.schedulers.begin(), runtime.schedulers.end(), [](const auto& each) {
    return each->wake_slot_entry.load(std::memory_order_relaxed) != nullptr;
  });
}

// What is polled runs handlers, which may need more stack than an actor has. So whoever finds that it
// is time goes to the thread's own loop, as if there were nothing to run.
slot* scheduler::next_ready_after_checks() noexcept {
  end_forked_child();
  if (SMARM_UNLIKELY(look_around())) {
    checks = order == nullptr ? looks_every : 1;
    poll_due = true;
    idle.word.requeue();
    return &idle;
  }
  return next_ready_from_anywhere();
}

slot* scheduler::next_ready_from_anywhere() noexcept {
  checks = order == nullptr ? looks_every : 1; // a draw each time
  if (SMARM_UNLIKELY(order != nullptr)) {
    // One draw among all, so pinned ones do not go first.
    struct ready_here {
      scheduler& of;
      slot* pop() const noexcept {
        slot* const pinned = of.take_pinned();
        return pinned != nullptr ? pinned : of.queue.pop();
      }
    } all{*this};
    slot* const starved = take_starved();
    return starved != nullptr ? starved : order->next(all);
  }
  // Served one at a time and only now and then, so that neither list can starve the ready queue.
  slot* s = take_starved();
  if (s == nullptr) {
    s = take_pinned();
  }
  if (s != nullptr) {
    checks = pinned_first != nullptr ? 2 : looks_every;
    return s;
  }
  return wake_slot_entry.load(std::memory_order_relaxed) != nullptr ? take_wake_slot()
                                                                    : queue.pop();
}

bool scheduler::has_ready() const noexcept {
  return queue.size() != 0 || wake_slot_entry != nullptr || pinned_first != nullptr ||
         pinned_mail.load(std::memory_order_relaxed) != nullptr;
}

// On the thread's own stack. A scheduler with nothing to do looks everywhere, each time.
slot* scheduler::scan_for_work() noexcept {
  end_forked_child();
  const bool due = std::exchange(poll_due, false);
  if (look_around() || due || !has_ready()) {
    (void)runtime.driver().poll();
  }
  return next_ready_from_anywhere();
}

void scheduler::make_ready_specially(slot& s) noexcept {
  if (s.pinned_to == not_pinned) {
    // Through the wake slot; the newest goes first, the one before it into the queue.
    if (!is_actor(current)) {
      push_ready(s);
      return;
    }
    slot* const displaced = exchange_wake_slot(&s);
    if (displaced != nullptr) {
      wake_slot_displacements.add();
      push_ready(*displaced);
    }
    return;
  }
  scheduler& there = *runtime.schedulers[s.pinned_to];
  if (&there == this) {
    append(pinned_first, pinned_last, s);
    checks = std::min(checks, 2U);
    return;
  }
  there.deliver_pinned(s);
}

void scheduler::deliver_pinned(slot& s) noexcept {
  slot* head = pinned_mail.load(std::memory_order_relaxed);
  do {
    s.next = head;
  } while (!pinned_mail.compare_exchange_weak(head, &s, std::memory_order_seq_cst,
                                              std::memory_order_relaxed));
  coordination->wake(id);
}

bool scheduler::take(bool lone) noexcept {
  if (runtime.wants_sweep()) {
    runtime.sweep(); // what it wakes becomes ready here
  }
  taken = scan_for_work();
  if (taken == nullptr && !solo) {
    taken = queue.steal(lone);
    if (taken == nullptr && lone && use_wake_slot) {
      taken = rob_wake_slots();
    }
    if (taken != nullptr) {
      note(event_kind::steal, *taken);
    }
  }
  return taken != nullptr;
}

bool scheduler::pending(bool lone) const noexcept {
  return queue.maybe_work(lone) || wake_slot_entry.load(std::memory_order_relaxed) != nullptr ||
         (lone && use_wake_slot && a_wake_slot_is_taken()) || pinned_first != nullptr ||
         pinned_mail.load(std::memory_order_seq_cst) != nullptr || runtime.wants_sweep() ||
         (runtime.starving() && (spare_host != nullptr || stacks.size() != 0));
}

bool scheduler::finished() noexcept { return runtime.finished(); }

} // namespace smarm::detail
