// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/scheduler.hpp>

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/alternate_signal_stack.hpp>
#include <smarm/detail/cycles.hpp>
#include <smarm/detail/futex.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/stack.hpp>
#include <smarm/stop.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

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

bool wants_own_shape(const slot& s) noexcept {
  const actor_record* record = s.record.load(std::memory_order_acquire);
  return record != nullptr && record->own_stack != nullptr;
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

scheduler::scheduler(runtime_state& owner, unsigned number)
    : coordination(&owner.coordination), solo(owner.settings.schedulers == 1),
      use_wake_slot(owner.settings.wake_slot), queue(owner.ready, number), stacks(owner.stacks),
      timers(owner.coordination, number), runtime(owner), id(number) {
  // Small tables stay exact: no slot hides in a scheduler's list while another asks for one.
  free_slot_limit = owner.settings.max_actors > 0xffff ? 256 : 0;
}

scheduler::~scheduler() = default;

void scheduler::double_entry(const slot& s) const noexcept {
  const pid who = s.id();
  std::fprintf(stderr,
               "smarm: actor <%u.%u> was in a ready queue twice: this is a defect of the library\n",
               who.index(), who.generation());
  std::abort();
}

void scheduler::reset_counters() noexcept {
  for (counter* c : {&spawned, &ended, &switches, &wake_slot_hits, &wake_slot_displacements,
                     &overruns}) {
    c->reset();
  }
  traces.clear();
}

// ---- Finding work ------------------------------------------------------------------------------

void scheduler::look_around() noexcept {
  const std::uint64_t now = cycles_now();
  if (now < next_look) {
    return;
  }
  next_look = now + runtime.settings.poll_cycles;
  coarse_now = monotonic_now();
  runtime.fire_timers(coarse_now);
  (void)runtime.driver->poll();
  // Nobody need ever be idle: the actors to be asked may be those that keep all schedulers busy. A
  // sweep takes its time where the table is large, so most of the time is left to the actors.
  if (SMARM_UNLIKELY(runtime.wants_sweep()) && now >= next_sweep) {
    runtime.sweep();
    const std::uint64_t after = cycles_now();
    next_sweep = after + 8 * (after - now);
  }
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

slot* scheduler::take_wake_slot() noexcept {
  if (++wake_slot_run >= wake_slot_bound) {
    // Two actors that keep waking each other must not keep the others waiting.
    wake_slot_run = 0;
    slot* displaced = std::exchange(wake_slot_entry, nullptr);
    slot* next = queue.pop();
    (void)queue.push(displaced);
    return next != nullptr ? next : queue.pop();
  }
  wake_slot_hits.add();
  return std::exchange(wake_slot_entry, nullptr);
}

slot* scheduler::next_ready_after_checks() noexcept {
  checks = looks_every;
  look_around();
  // Served one at a time and only now and then, so that neither list can starve the ready queue.
  slot* s = take_starved();
  if (s == nullptr) {
    s = take_pinned();
  }
  if (s != nullptr) {
    checks = pinned_first != nullptr ? 2 : looks_every;
    return s;
  }
  return wake_slot_entry != nullptr ? take_wake_slot() : queue.pop();
}

slot* scheduler::scan_for_work() noexcept {
  checks = 1; // a scheduler with nothing to do looks everywhere, each time
  return next_ready();
}

void scheduler::make_ready_specially(slot& s) noexcept {
  if (s.pinned_to == not_pinned) {
    // Through the wake slot; the newest goes first, the one before it into the queue.
    if (!is_actor(current)) {
      const bool was_empty = queue.push(&s);
      if (!solo) {
        coordination->wake_for_work(id, !was_empty);
      }
      return;
    }
    slot* displaced = std::exchange(wake_slot_entry, &s);
    if (displaced != nullptr) {
      wake_slot_displacements.add();
      const bool was_empty = queue.push(displaced);
      if (!solo) {
        coordination->wake_for_work(id, !was_empty);
      }
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
    if (taken != nullptr) {
      note(trace_event::steal, *taken);
    }
  }
  return taken != nullptr;
}

bool scheduler::pending(bool lone) const noexcept {
  return queue.maybe_work(lone) || wake_slot_entry != nullptr || pinned_first != nullptr ||
         pinned_mail.load(std::memory_order_seq_cst) != nullptr || runtime.wants_sweep() ||
         (runtime.starving() && (spare_host != nullptr || stacks.size() != 0));
}

bool scheduler::finished() noexcept { return runtime.finished(); }

// ---- Stacks ------------------------------------------------------------------------------------

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
  left.stack->note_park(saved);
}

// ---- Landing -----------------------------------------------------------------------------------

void scheduler::land_rarely(transfer_t from, fiber_state& mine) noexcept {
  const auto word = reinterpret_cast<std::uintptr_t>(from.data);
  void* const left = reinterpret_cast<void*>(word & ~handover_mask);
  switch (static_cast<handover>(word & handover_mask)) {
  case handover::none: {
    auto& loop = *static_cast<slot*>(left);
    arrived(mine, idle_fiber);
    loop.context = from.fctx;
    break;
  }
  case handover::parked_deaf: {
    auto& s = *static_cast<slot*>(left);
    arrived(mine, fiber_of(s));
    s.context = from.fctx;
    watch_depth(s, from.fctx);
    if (!s.word.park(true)) {
      make_ready(s); // woken while it was on its way: it is queued already
    }
    break;
  }
  case handover::host_free: {
    auto* host = static_cast<stack*>(left);
    arrived(mine, host->fiber);
    if constexpr (contexts_outlive_tenants) {
      host->context = from.fctx;
    } else {
      host->context = nullptr;
      end_fiber(host->fiber);
    }
    if (spare_host == nullptr && host->pooled()) {
      spare_host = host;
    } else {
      stacks.release(host);
    }
    break;
  }
  case handover::on_thread: {
    auto& s = *static_cast<slot*>(left);
    arrived(mine, fiber_of(s));
    s.context = from.fctx;
    errand_of = &s;
    break;
  }
  case handover::yielded:
  case handover::parked:
    break; // handled inline
  }
}

void scheduler::jump_with_exceptions(slot& me, slot& next, fcontext_t target,
                                     handover what) noexcept {
  const saved_exceptions saved(*exceptions);
  jump_from(me, next, target, what);
  saved.restore(*current_scheduler()->exceptions);
}

// ---- The host loop -----------------------------------------------------------------------------

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
        if (SMARM_LIKELY(reason.kind() == exit_kind::normal && !me.masks.stop_raised &&
                         me.record.load(std::memory_order_relaxed) == nullptr &&
                         me.pinned_to == not_pinned)) {
          here.runtime.bury(here, me);
        } else {
          here.runtime.end_actor(me, std::move(reason));
        }
      } else {
        // It left nothing on this stack, so it may run elsewhere as soon as this is published.
        me.context = nullptr;
        me.stack = nullptr;
        current_scheduler()->publish_parked(me);
      }
    }
    scheduler& here = *current_scheduler();
    slot* next = here.next_ready();
    if (next != nullptr) {
      here.claim(*next);
      if (next->context == nullptr && mine.pooled() && !wants_own_shape(*next)) {
        next->stack = &mine;
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

// ---- The thread's loop -------------------------------------------------------------------------

void scheduler::run() {
  set_current_scheduler(this);
  exceptions = this_thread_exception_globals();
  adopt_thread(idle_fiber);
  current = &idle;
  const alternate_signal_stack signals("scheduler");
  // A timer is to end a sleep when it is due, not up to 50 us later.
  const std::uint64_t slack_before = exchange_timer_slack(1);
  thread = ::pthread_self();
  online.store(true, std::memory_order_release);
  for (;;) {
    if (slot* next = scan_for_work()) {
      run_claimed(*next);
      continue;
    }
    const idle_result result = coordination->idle(id, *this);
    if (result == idle_result::finished) {
      break;
    }
    if (result == idle_result::work_found) {
      if (taken != nullptr) {
        run_claimed(*std::exchange(taken, nullptr));
      }
      continue;
    }
    coarse_now = monotonic_now();
    runtime.fire_timers(coarse_now);
    coordination->expired(coarse_now);
    coordination->cover(id);
  }
  online.store(false, std::memory_order_release);
  release_resources();
  (void)exchange_timer_slack(slack_before);
  set_current_scheduler(nullptr);
}

void scheduler::run_claimed(slot& next) noexcept {
  claim(next);
  if (!has_host(next)) {
    return;
  }
  switch_to(idle, next, handover::none);
  while (errand_of != nullptr) {
    run_errand();
  }
}

void scheduler::on_thread_stack(slot& me, errand& what) noexcept {
  present_errand = &what;
  switch_to(me, idle, handover::on_thread);
}

void scheduler::run_errand() noexcept {
  slot& whose = *std::exchange(errand_of, nullptr);
  errand& what = *std::exchange(present_errand, nullptr);
  what.run(what);
  switch_to(idle, whose, handover::none);
}

void scheduler::release_resources() noexcept {
  if (spare_host != nullptr) {
    stacks.release(std::exchange(spare_host, nullptr));
  }
  stacks.flush();
  if (free_slots != nullptr) {
    slot* last = free_slots;
    while (last->next != nullptr) {
      last = last->next;
    }
    runtime.slots.give(std::exchange(free_slots, nullptr), last);
    free_slot_count = 0;
  }
  timers.clear();
}

// ---- Slots -------------------------------------------------------------------------------------

slot* scheduler::refill_slots(errc& error) noexcept {
  const quiet_allocation quiet;
  std::size_t taken_count = 0;
  slot* first = runtime.slots.take(free_slot_limit / 2 + 1, taken_count, error);
  if (first == nullptr) {
    return nullptr;
  }
  if (!runtime.reserve_queue()) {
    slot* last = first;
    while (last->next != nullptr) {
      last = last->next;
    }
    runtime.slots.give(first, last);
    error = errc::out_of_memory;
    return nullptr;
  }
  free_slots = first->next;
  free_slot_count = static_cast<unsigned>(taken_count - 1);
  return first;
}

void scheduler::spill_slot(slot& s) noexcept {
  // Half of the list goes with it, so that the next ones find room.
  slot* last = &s;
  s.next = nullptr;
  for (unsigned i = 0; i < free_slot_limit / 2; ++i) {
    slot* more = free_slots;
    free_slots = more->next;
    --free_slot_count;
    last->next = more;
    more->next = nullptr;
    last = more;
  }
  runtime.slots.give(&s, last);
}

} // namespace smarm::detail
