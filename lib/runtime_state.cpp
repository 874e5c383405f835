// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/runtime_state.hpp>

#include "forked_child.hpp"

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/runtime_list.hpp>
#include <smarm/detail/stack_overflow.hpp>
#include <smarm/detail/wake.hpp>

#include <algorithm>
#include <utility>

namespace smarm::detail {
namespace {

guard_method method_of(stack_guard guard) noexcept {
  switch (guard) {
  case stack_guard::guard_region: return guard_method::guard_region;
  case stack_guard::mapping: return guard_method::mapping;
  case stack_guard::automatic: break;
  }
  return guard_method::automatic;
}

idle_options idle_options_of(const config& c) noexcept {
  idle_options o = idle_options::for_this_machine();
  if (o.spin_ns != 0) {
    o.spin_ns = c.search_time.count();
  }
  o.standby_first_ns = c.standby_interval.count();
  o.standby_limit_ns = std::max<std::int64_t>(o.standby_limit_ns, o.standby_first_ns);
  o.timer_slack_ns = c.timer_slack.count();
  return o;
}

overflow_subject running_actor() noexcept {
  const scheduler* here = current_scheduler();
  if (here == nullptr || !here->is_actor(here->current)) {
    return {};
  }
  const slot& s = *here->current;
  const pid who = s.id();
  const actor_record* record = s.record.load(std::memory_order_acquire);
  return {s.stack, who.index(), who.generation(),
          record != nullptr ? record->label.c_str() : ""};
}

std::string label_if_live(const slot_table& slots, pid actor) noexcept {
  slot* const s = actor.is_valid() ? slots.find(actor.index()) : nullptr;
  if (s == nullptr || s->word.status(actor.generation()) != slot_status::live) {
    return {};
  }
  try {
    std::string label = label_of(*s);
    return s->word.status(actor.generation()) == slot_status::live ? label : std::string();
  } catch (...) {
    return {};
  }
}

} // namespace

runtime_state::runtime_state(config c)
    : settings(validated(std::move(c))),
      default_shape(stack_shape{settings.stack_size, settings.guard_size}.rounded()),
      slots(settings.max_actors), ready(settings.schedulers, 1024),
      stacks(stack_pool::options{.shape = default_shape,
                                 .guard = method_of(settings.guard),
                                 .warm = settings.warm_stacks}),
      coordination(settings.schedulers, futex_driver_, idle_options_of(settings)) {
  watch_for_forks();
  if (settings.report_stack_overflow) {
    (void)report_stack_overflows(&running_actor);
  }
  for (unsigned i = 0; i < settings.schedulers; ++i) {
    schedulers.push_back(std::make_unique<scheduler>(*this, i));
  }
  enter_runtime_list(*this); // last: from here on it is looked at
}

runtime_state::~runtime_state() {
  leave_runtime_list(*this);
  tell_outsiders();
}

void runtime_state::tell_outsiders() noexcept {
  close_names(*names);
  close_groups(*groups);
}

void runtime_state::inject(slot& s) noexcept {
  if (s.pinned_to != not_pinned) {
    schedulers[s.pinned_to]->deliver_pinned(s);
    return;
  }
  ready.inject(&s);
  coordination.wake_for_injection();
}

bool runtime_state::starve(slot& s) noexcept {
  const std::lock_guard guard(starved_lock_);
  s.next = nullptr;
  (starved_last_ != nullptr ? starved_last_->next : starved_first_) = &s;
  starved_last_ = &s;
  return starved_count_.fetch_add(1, std::memory_order_relaxed) == 0;
}

slot* runtime_state::take_starved() noexcept {
  const std::lock_guard guard(starved_lock_);
  slot* s = starved_first_;
  if (s != nullptr) {
    starved_first_ = s->next;
    if (starved_first_ == nullptr) {
      starved_last_ = nullptr;
    }
    starved_count_.fetch_sub(1, std::memory_order_relaxed);
  }
  return s;
}

void make_ready_from_outside(slot& s) noexcept {
  if (s.outsider != nullptr) {
    s.outsider->ready();
    return;
  }
  // The slot is Queued and only we may enqueue it: until then its actor is alive, and with it the
  // runtime. Afterwards the count keeps the runtime from going before we are out of it.
  if (is_tracing()) {
    trace_actor(event_kind::wake, s);
  }
  runtime_state& there = *s.runtime;
  there.life.enter_as_waker();
  there.inject(s);
  there.life.leave();
}

bool runtime_state::request(pid actor, std::uint64_t flag) noexcept {
  slot* s = slots.find(actor.index());
  if (s == nullptr) {
    return false;
  }
  const stop_result result = s->stop.request(actor.generation(), flag, s->word);
  if (result == stop_result::enqueue) {
    make_ready(*s);
  }
  return result != stop_result::no_actor;
}

bool runtime_state::insist(pid actor) noexcept {
  slot* s = slots.find(actor.index());
  return s != nullptr && insist_on_stop(*s, actor);
}

bool runtime_state::is_live(pid actor) const noexcept {
  const slot* s = slots.find(actor.index());
  return s != nullptr && s->word.status(actor.generation()) == slot_status::live;
}

void runtime_state::tell(report r) noexcept {
  if (told_.keeps_any()) {
    told_.note(r, label_if_live(slots, r.parent));
  }
  try {
    if (settings.reports) {
      settings.reports(r);
    } else {
      write_report(r);
    }
  } catch (...) {
    sink_failures_.fetch_add(1, std::memory_order_relaxed);
  }
}

void runtime_state::fire_timers(std::int64_t now) noexcept {
  for (unsigned i = 0; i < settings.schedulers; ++i) {
    if (coordination.deadline_due(i, now)) {
      (void)schedulers[i]->timers.fire_due(now);
    }
  }
}

runtime_stats runtime_state::stats() const {
  runtime_stats out;
  out.schedulers = settings.schedulers;
  out.spawned = life.count_spawned_outside();
  for (const auto& s : schedulers) {
    const idle_counters& idle = coordination.counters(s->id);
    out.spawned += s->spawned.value();
    out.ended += s->ended.value();
    out.switches += s->switches.value();
    out.overruns += s->overruns.value();
    out.wake_slot_hits += s->wake_slot_hits.value();
    out.wake_slot_displacements += s->wake_slot_displacements.value();
    out.sleeps += idle.parks.count();
    out.wakes += idle.wakes.count();
    out.armed_timers += s->timers.size();
  }
  out.sink_failures = sink_failures_.load(std::memory_order_relaxed);
  out.ready = ready.size();
  const auto stack_count = stacks.count();
  out.stacks_in_use = stack_count.live;
  out.stacks_kept = stack_count.warm;
  out.stacks_spare = stack_count.spare;
  out.io = driver_.load(std::memory_order_acquire)->stats();
  if (blocking_pool* const pool = blocking_pool_if_any()) {
    out.blocking = stats_of(*pool);
  }
  return out;
}

} // namespace smarm::detail
