// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/scheduler.hpp>

#include <smarm/detail/alternate_signal_stack.hpp>
#include <smarm/detail/cycles.hpp>
#include <smarm/detail/futex.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/stack.hpp>

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace smarm::detail {

scheduler::scheduler(runtime_state& owner, unsigned number)
    : coordination(&owner.coordination), vacant(owner), solo(owner.settings.schedulers == 1),
      use_wake_slot(owner.settings.wake_slot), queue(owner.ready, number), stacks(owner.stacks),
      timers(owner.coordination, number), runtime(owner), id(number) {
  // What an actor goes to by way of the ready queue is claimed like any actor.
  idle.word.publish_queued();
  (void)idle.word.claim();
}

scheduler::~scheduler() = default;

void scheduler::double_entry(const slot& s) const noexcept {
  const pid who = s.id();
  std::fprintf(stderr,
               "smarm: actor <%u.%u> was in a ready queue twice: this is a defect of the library\n",
               who.index(), who.generation());
  std::abort();
}

bool scheduler::hears_urgent(const slot& me) const noexcept {
  return me.masks.only_ends() && exceptions->uncaught == 0 && me.stop.requested(stop_flag::urgent);
}

void scheduler::make_ready_again(slot& s) noexcept {
  if (is_tracing()) {
    trace_own_wake(s);
  }
  queue_woken(s);
}

void scheduler::reset_counters() noexcept {
  for (counter* c : {&spawned, &ended, &switches, &wake_slot_hits, &wake_slot_displacements,
                     &overruns, &idle_cycles}) {
    c->reset();
  }
  slice_of = 0;
  pace = {};
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
      make_ready_again(s); // woken while it was on its way: it is queued already
    }
    break;
  }
  case handover::parked_unless_urgent: {
    auto& s = *static_cast<slot*>(left);
    arrived(mine, fiber_of(s));
    s.context = from.fctx;
    watch_depth(s, from.fctx);
    // Read before the word is published: afterwards the slot may belong to somebody else.
    const std::uint32_t generation = s.word.snapshot().generation;
    if (!s.word.park_unless_urgent() || s.stop.after_park_unless_urgent(generation, s.word)) {
      make_ready_again(s);
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
  thread_number = static_cast<int>(::syscall(SYS_gettid));
  pace.begin(cycles_now(), switches.value());
#if SMARM_BUDGET
  resumed_at = cycles_now();
#endif
  online.store(true, std::memory_order_release);
  for (;;) {
    if (slot* next = scan_for_work()) {
      run_claimed(*next);
      continue;
    }
    idle_since = cycles_now();
    const idle_result result = coordination->idle(id, *this);
    const std::uint64_t now = cycles_now();
    idle_cycles.add(now - idle_since);
    idle_since = 0;
#if SMARM_BUDGET
    resumed_at = now;
#endif
    pace.begin(now, switches.value());
    if (result == idle_result::finished) {
      break;
    }
    if (result == idle_result::work_found) {
      if (taken != nullptr) {
        run_claimed(*std::exchange(taken, nullptr));
      }
      continue;
    }
    see_clock(monotonic_now());
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
  on_errand = &whose;
  what.run(what);
  on_errand = nullptr;
  switch_to(idle, whose, handover::none);
}

void scheduler::release_resources() noexcept {
  if (spare_host != nullptr) {
    stacks.release(std::exchange(spare_host, nullptr));
  }
  stacks.flush();
  vacant.flush();
  timers.clear();
}

} // namespace smarm::detail
