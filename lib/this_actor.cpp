// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/this_actor.hpp>

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/cycles.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

#include <algorithm>
#include <mutex>

namespace smarm {
namespace this_actor {
namespace {

// Checkpoints from one reading of the time-stamp counter to the next: many where they are dense, so
// that the reading costs nothing, and one where so many would take a good part of a slice. A new turn
// begins in between, or with one where the scheduler last met a slow caller.
constexpr unsigned widest_stride = 16;
constexpr unsigned stride_growth = 4;
constexpr std::uint64_t dense_part = 16; // of a slice, between two readings

// Nobody but the timer ends a sleep.
struct sleep_source {
  detail::enrolment enroll(detail::registration) noexcept {
    return detail::enrolment::enrolled;
  }
  bool satisfied() noexcept { return false; }
  bool withdraw() noexcept { return true; }
};

} // namespace

detail::slot& impl::caller(const char* call) {
  detail::scheduler* s = detail::current_scheduler();
  detail::slot* me = nullptr;
  if (s != nullptr) {
    me = s->is_actor(s->current) ? s->current.load() : s->on_errand;
  }
  if (me == nullptr) {
    throw boost::system::system_error(make_error_code(errc::not_in_actor), call);
  }
  return *me;
}

void impl::refuse(const char* call) {
  const bool on_scheduler = detail::current_scheduler() != nullptr;
  throw boost::system::system_error(
      make_error_code(on_scheduler ? errc::would_block_scheduler : errc::not_in_actor), call);
}

bool impl::on_thread_stack() noexcept {
  const detail::scheduler* s = detail::current_scheduler();
  return s != nullptr && s->on_errand != nullptr;
}

void impl::slice_check(detail::scheduler& s, detail::slot& me) noexcept {
  if (me.masks.preemption != 0) {
    s.checkpoints = widest_stride;
    return;
  }
  const std::uint64_t slice = s.runtime.settings.timeslice_cycles;
  const std::uint64_t turn = s.switches.value();
  const std::uint64_t now = detail::cycles_now();
  if (s.slice_of != turn) {
    s.slice_of = turn;
    s.slice_start = s.slice_reading = now;
    s.checkpoints = s.checkpoint_stride = std::min(s.checkpoint_stride, stride_growth);
    return;
  }
  const bool dense = now - s.slice_reading < slice / dense_part;
  s.slice_reading = now;
  s.checkpoint_stride = dense ? std::min(s.checkpoint_stride * stride_growth, widest_stride) : 1;
  s.checkpoints = s.checkpoint_stride;
  if (now - s.slice_start >= slice) {
    s.overruns.add();
    me.overruns.store(me.overruns.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    s.see_clock(detail::monotonic_now());
    s.slice_start = now;
    (void)s.yield(me);
  }
}

void impl::sleep_until(std::int64_t deadline) {
  (void)here("this_actor::sleep");
  if (deadline <= detail::monotonic_now()) {
    yield(); // a timer would have to be looked at first
    return;
  }
  sleep_source source;
  (void)detail::wait_for_source<true>(source, detail::wait_kind::sleep, deadline);
}

pid self() { return impl::caller("this_actor::self").id(); }

void label(std::string_view text) {
  detail::slot& me = impl::caller("this_actor::label");
  std::string now(text); // and what was before, destroyed outside the lock
  detail::actor_record& mine = detail::own_record(me);
  if (detail::is_tracing()) {
    detail::trace_label(me, now);
  }
  const std::lock_guard guard(me.record_lock);
  mine.label.swap(now);
}

std::string label() { return detail::label_of(impl::caller("this_actor::label")); }

bool is_actor() noexcept {
  const detail::scheduler* s = detail::current_scheduler();
  return s != nullptr && s->is_actor(s->current);
}

unsigned scheduler() {
  const detail::scheduler* s = detail::current_scheduler();
  if (s == nullptr) {
    throw boost::system::system_error(make_error_code(errc::not_in_actor), "this_actor::scheduler");
  }
  return s->id;
}

bool stop_requested() {
  return impl::caller("this_actor::stop_requested").stop.requested_and_visible();
}

} // namespace this_actor

namespace {
// One byte, and what the library adds itself.
constexpr std::uint8_t most_no_preempt = 250;
} // namespace

disable_stop::disable_stop() : self_(this_actor::impl::caller("disable_stop")) {
  ++self_.masks.stops;
}
disable_stop::~disable_stop() { --self_.masks.stops; }

no_preempt::no_preempt() : self_(this_actor::impl::caller("no_preempt")) {
  if (self_.masks.preemption == most_no_preempt) {
    throw boost::system::system_error(make_error_code(errc::count_out_of_range),
                                      "no_preempt: more than 250 of them, one inside the other");
  }
  ++self_.masks.preemption;
}
no_preempt::~no_preempt() { --self_.masks.preemption; }

} // namespace smarm
