// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/runtime_state.hpp>

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/exit_delivery.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/stack_overflow.hpp>
#include <smarm/detail/wake.hpp>
#include <smarm/stop.hpp>

#include <boost/system/system_error.hpp>

#include <pthread.h>

#include <algorithm>
#include <utility>

namespace smarm::detail {
namespace {

constexpr pid unpacked(std::uint64_t v) noexcept {
  return {static_cast<std::uint32_t>(v >> 32), static_cast<std::uint32_t>(v)};
}

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

// Zero stands for the configuration's own.
constexpr bool is_default_or(std::size_t value, std::size_t least, std::size_t most) noexcept {
  return value == 0 || (value >= least && value <= most);
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

} // namespace

runtime_state::runtime_state(config c)
    : settings(validated(std::move(c))),
      default_shape(stack_shape{settings.stack_size, settings.guard_size}.rounded()),
      slots(settings.max_actors), ready(settings.schedulers, 1024),
      stacks(stack_pool::options{.shape = default_shape,
                                 .guard = method_of(settings.guard),
                                 .warm = settings.warm_stacks}),
      driver(std::make_unique<futex_driver>()),
      coordination(settings.schedulers, *driver, idle_options_of(settings)),
      names(std::make_unique<name_table>()) {
  if (settings.report_stack_overflow) {
    (void)report_stack_overflows(&running_actor);
  }
  for (unsigned i = 0; i < settings.schedulers; ++i) {
    schedulers.push_back(std::make_unique<scheduler>(*this, i));
  }
}

runtime_state::~runtime_state() = default;

// ---- Spawning ----------------------------------------------------------------------------------

slot* runtime_state::take_slot(scheduler* here, errc& error) noexcept {
  if (here != nullptr) {
    return here->take_slot(error);
  }
  const quiet_allocation quiet; // the caller may be an actor, and the table is locked
  std::size_t taken = 0;
  slot* s = slots.take(1, taken, error);
  if (s != nullptr && !reserve_queue()) {
    slots.give(s, s);
    error = errc::out_of_memory;
    return nullptr;
  }
  return s;
}

bool runtime_state::reserve_queue() noexcept {
  const std::size_t wanted = slots.capacity();
  const std::lock_guard guard(reserve_lock_);
  if (wanted <= reserved_) {
    return true;
  }
  if (!ready.reserve(wanted)) {
    return false;
  }
  reserved_ = wanted;
  return true;
}

void runtime_state::return_slot(scheduler* here, slot& s) noexcept {
  const actor_record* record = s.record.load(std::memory_order_acquire);
  if (record != nullptr && record->own_stack != nullptr) {
    stacks.release(record->own_stack);
  }
  drop_record(s);
  s.pinned_to = not_pinned;
  if (here != nullptr) {
    here->give_slot(s);
  } else {
    slots.give(&s, &s);
  }
}

errc runtime_state::equip(scheduler* here, slot& s, const spawn_options& options) {
  if (options.pinned_to != spawn_options::anywhere) {
    if (options.pinned_to >= settings.schedulers) {
      return errc::invalid_config;
    }
    s.pinned_to = static_cast<std::uint16_t>(options.pinned_to);
  }
  if (!is_default_or(options.stack_size, least_stack_size, most_stack_size) ||
      !is_default_or(options.guard_size, least_guard_size, most_guard_size)) {
    return errc::invalid_config;
  }
  if (options.label.empty() && options.stack_size == 0 && options.guard_size == 0) {
    return errc{};
  }
  auto made = std::make_unique<actor_record>();
  made->label = options.label;
  actor_record& record = *made;
  s.record.store(made.release(), std::memory_order_release);
  if (options.stack_size != 0 || options.guard_size != 0) {
    const stack_shape shape =
      stack_shape{options.stack_size != 0 ? options.stack_size : settings.stack_size,
                  options.guard_size != 0 ? options.guard_size : settings.guard_size}
        .rounded();
    if (shape != default_shape) {
      // Found here and now, since there is a caller who can be told if there is none.
      auto own = here != nullptr ? here->stacks.acquire(shape) : stacks.acquire(shape);
      if (!own) {
        return own.error().category() == error_category() ? static_cast<errc>(own.error().value())
                                                          : errc::not_supported;
      }
      record.own_stack = *own;
    }
  }
  return errc{};
}

void runtime_state::publish_from_outside(slot& s) noexcept {
  const pid who = s.id();
  life.spawned_outside();
  s.word.publish_queued();
  inject(s);
  // No death of a parent will ask for a sweep that sees it, if the last one is over.
  if (root_end_.announced_before_spawn()) {
    (void)shut_down(*this, who, pid::root(), shutdown_asked::by_sweep);
  }
}

void runtime_state::publish_parentless(scheduler& here, slot& s) noexcept {
  const pid who = s.id();
  publish(here, s);
  if (root_end_.announced_before_spawn()) {
    (void)shut_down(*this, who, pid::root(), shutdown_asked::by_sweep);
  }
  life.leave();
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
  if (s.thread_parker != nullptr) {
    s.thread_parker->unpark();
    return;
  }
  // The slot is Queued and only we may enqueue it: until then its actor is alive, and with it the
  // runtime. Afterwards the count keeps the runtime from going before we are out of it.
  runtime_state& there = *s.runtime;
  there.life.enter_as_waker();
  there.inject(s);
  there.life.leave();
}

// ---- Endings -----------------------------------------------------------------------------------

void raise_stop(slot& me) {
  me.masks.stop_raised = true;
  throw stop_unwind();
}

void runtime_state::end_actor(slot& me, exit_reason reason) noexcept {
  ++me.masks.stops; // whatever runs from here on is not to be stopped
  if (me.masks.stop_raised) {
    const bool stopped = me.stop.requested(stop_flag::stop);
    if (reason.kind() != exit_kind::failed) {
      reason = exit_reason(stopped ? exit_kind::stopped : exit_kind::shutdown);
    }
  }
  const pid who = me.id();
  const actor_record* record = me.record.load(std::memory_order_acquire);
  if (!reason.is_clean()) {
    // An actor that failed for want of memory leaves none to tell of it.
    tell_made([&] {
      return report{.kind = reason.kind() == exit_kind::failed ? report_kind::actor_failed
                                                               : report_kind::actor_stopped,
                    .actor = who,
                    .parent = unpacked(me.parent.load(std::memory_order_relaxed)),
                    .label = record != nullptr ? record->label : std::string(),
                    .reason = reason,
                    .text = reason.text()};
    });
  }
  if (me.record.load(std::memory_order_acquire) != nullptr) {
    (void)me.join.attend(); // bury sees to the rest
    close_inboxes(me);
  }
  me.pinned_to = not_pinned;
  me.outcome = std::move(reason);
  bury(*current_scheduler(), me);
}

void runtime_state::note_death(bool was_root) noexcept {
  if (was_root) {
    root_end_.announce();
    sweep();
  } else if (root_end_.want_sweep()) {
    coordination.verdict_changed(); // this thread may be busy for long, and the others asleep
  }
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

bool runtime_state::is_live(pid actor) const noexcept {
  const slot* s = slots.find(actor.index());
  return s != nullptr && s->word.status(actor.generation()) == slot_status::live;
}

void runtime_state::sweep() noexcept {
  root_end_.sweep(slots, [this](std::uint32_t index, std::uint32_t generation, slot&) {
    (void)shut_down(*this, pid(index, generation), pid::root(), shutdown_asked::by_sweep);
  });
}

void runtime_state::tell(report r) noexcept {
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

// ---- The run -----------------------------------------------------------------------------------

void runtime_state::fire_timers(std::int64_t now) noexcept {
  for (unsigned i = 0; i < settings.schedulers; ++i) {
    if (coordination.deadline_due(i, now)) {
      (void)schedulers[i]->timers.fire_due(now);
    }
  }
}

void runtime_state::begin_run() {
  // Under the lock: who waits for an end, or asks for one, finds no run or all of it.
  const std::lock_guard guard(end_lock_);
  phase expected = phase::idle;
  if (!phase_.compare_exchange_strong(expected, phase::running, std::memory_order_acq_rel)) {
    throw boost::system::system_error(make_error_code(errc::nested_run),
                                      "smarm::runtime: it is running already");
  }
  // Without a single stack the first actor would wait for ever: there is a caller who can be told.
  const auto probe = stacks.acquire();
  if (!probe) {
    phase_.store(phase::idle, std::memory_order_release);
    if (probe.error().category() == error_category()) {
      throw boost::system::system_error(probe.error(), "smarm::runtime: the first stack");
    }
    throw boost::system::system_error(make_error_code(errc::not_supported),
                                      "smarm::runtime: config::guard: " + probe.error().message());
  }
  stacks.release(*probe);
  for (const auto& s : schedulers) {
    s->reset_counters();
    s->timers.open();
  }
  life.begin();
  root_end_.begin();
  running_schedulers_ = settings.schedulers;
}

void runtime_state::start_threads(unsigned first) {
  unsigned i = first;
  try {
    threads_.reserve(settings.schedulers);
    for (; i < settings.schedulers; ++i) {
      threads_.emplace_back([this, i] {
        const std::string name = settings.thread_name + '-' + std::to_string(i);
        ::pthread_setname_np(::pthread_self(), name.c_str());
        schedulers[i]->run();
        scheduler_done();
      });
    }
  } catch (...) {
    // Some schedulers are running: they see the end before anybody is told.
    {
      const std::lock_guard guard(end_lock_);
      running_schedulers_ = i - first;
    }
    (void)life.release_keep_alive();
    started();
    (void)await_end(no_deadline);
    throw;
  }
  // Not before: what came in by now would have nobody to run it if the threads had been refused.
  life.open_door();
  // Either a shutdown that came meanwhile found the door open, or its wish is seen here.
  if (root_end_.announced_before_spawn()) {
    shut_down_all();
  }
}

void runtime_state::scheduler_done() noexcept {
  std::shared_ptr<runtime_state> last; // may be this object's end, so not under the lock
  const std::lock_guard guard(end_lock_);
  if (--running_schedulers_ == 0) {
    if (self_ != nullptr) {
      life.await_visitors();
      phase_.store(phase::idle, std::memory_order_release);
      last = std::move(self_);
    }
    ended_.notify_all();
  }
}

void runtime_state::finish_locked() noexcept {
  for (std::thread& t : threads_) {
    t.join();
  }
  threads_.clear();
  life.await_visitors(); // those that were turned away may still be on their way out
  phase_.store(phase::idle, std::memory_order_release);
}

bool runtime_state::await_end(std::int64_t deadline) noexcept {
  std::unique_lock lock(end_lock_);
  const auto over = [this] { return running_schedulers_ == 0; };
  if (deadline == no_deadline) {
    ended_.wait(lock, over);
  } else if (!ended_.wait_until(lock,
                                std::chrono::steady_clock::time_point(
                                  std::chrono::nanoseconds(deadline)),
                                over)) {
    return false;
  }
  finish_locked();
  return true;
}

void runtime_state::orphan() noexcept {
  {
    const std::lock_guard guard(end_lock_);
    if (!threads_.empty()) {
      for (std::thread& t : threads_) {
        t.detach();
      }
      threads_.clear();
    }
    if (running_schedulers_ != 0) {
      self_ = shared_from_this();
    }
  }
  shut_down_all();
}

void runtime_state::shut_down_all() noexcept {
  {
    const std::lock_guard guard(end_lock_);
    if (running_schedulers_ == 0) {
      return;
    }
    root_end_.announce();
  }
  {
    const visit here(*this);
    if (here.open()) {
      sweep();
    } else if (root_end_.want_sweep()) {
      // The verdict closes the door before it is sure: who came in before may have spawned, and then
      // the run goes on. If so the schedulers see to it.
      coordination.verdict_changed();
    }
  }
  release_keep_alive();
}

void runtime_state::started() noexcept {
  life.started();
  coordination.verdict_changed();
}

void runtime_state::release_keep_alive() noexcept {
  {
    const std::lock_guard guard(end_lock_);
    if (running_schedulers_ == 0 || !life.release_keep_alive()) {
      return;
    }
  }
  coordination.verdict_changed();
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
  return out;
}

} // namespace smarm::detail
