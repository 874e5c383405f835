// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The one way to wait. A blocking primitive describes what it waits for as a source and calls
// wait_for_source; opening the wait, registering, arming the timer, parking, and undoing all that on
// every exit happens here and nowhere else.
//
// Between opening a wait and parking nothing may switch and nothing user-written may run: the wake
// could be spent on the switch. So a source's functions are noexcept and short.

#ifndef SMARM_DETAIL_WAIT_HPP
#define SMARM_DETAIL_WAIT_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/deadline.hpp>
#include <smarm/detail/scheduler.hpp>
#include <smarm/detail/thread_slot.hpp>
#include <smarm/detail/wait_timer.hpp>
#include <smarm/detail/wake.hpp>
#include <smarm/stop.hpp>

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace smarm::detail {

struct reply_route;

enum class wait_end : std::uint8_t {
  ready,       // what the source waits for has come
  timed_out,   // the deadline came first
  would_block, // the caller is in scheduler context, where nothing may wait
};

// What registering came to.
enum class enrolment : std::uint8_t {
  enrolled, // somebody has the registration and will wake it
  ready,    // nothing to wait for; nobody else has seen the registration
  overtaken // nothing to wait for any more, but somebody may have seen it
};

enum class stoppable : bool { no, yes };

template <class Source>
concept wait_source = requires(Source& s, registration r) {
  // Hands the registration to whoever will wake it.
  { s.enroll(r) } noexcept -> std::same_as<enrolment>;
  // Whether what the source waits for has come; asked after each wake.
  { s.satisfied() } noexcept -> std::same_as<bool>;
  // Takes the registration back. False: a waker has it already, so the source is satisfied.
  { s.withdraw() } noexcept -> std::same_as<bool>;
};

// One that waits for a certain actor says which: its slot, or null if that is not known.
template <class Source>
concept knows_whom = requires(const Source& s) {
  { s.whom() } noexcept -> std::same_as<const slot*>;
};

// One that is answered by whoever comes to it first says where that is found.
template <class Source>
concept knows_where = requires(const Source& s) {
  { s.where() } noexcept -> std::same_as<const reply_route*>;
};

// Raises a pending stop, unless it may not be raised here and now.
SMARM_HOT_INLINE void stop_point(scheduler& here, slot& me) {
  if (SMARM_UNLIKELY(me.stop.requested()) && here.may_raise(me)) {
    raise_stop(me);
  }
}

// How a wait that is a stop point is to be published.
[[nodiscard]] SMARM_ALWAYS_INLINE handover stoppable_park(const scheduler& here,
                                                          const slot& me) noexcept {
  if (SMARM_LIKELY(here.may_raise(me))) {
    return handover::parked;
  }
  return me.masks.only_ends() && here.exceptions->uncaught == 0 ? handover::parked_unless_urgent
                                                                : handover::parked_deaf;
}

template <bool Timed, stoppable Stops, wait_source Source>
SMARM_HOT_INLINE wait_end wait_as_actor(scheduler* here, slot& me, Source& source,
                                        std::int64_t deadline, wait_kind kind) {
  if constexpr (Stops == stoppable::yes) {
    stop_point(*here, me);
  }
  [[maybe_unused]] std::conditional_t<Timed, wait_timer, no_wait_timer> alarm(*here);
  for (;;) {
    const registration mine{&me, me.word.begin_wait()};
    me.masks.wait_open = true;
    const enrolment got = source.enroll(mine);
    if (SMARM_UNLIKELY(got != enrolment::enrolled)) {
      me.masks.wait_open = false;
      if (got == enrolment::overtaken) {
        (void)me.word.retire();
      }
      return wait_end::ready;
    }
    if constexpr (Timed) {
      alarm.arm(here->timers, me, mine.ticket, deadline);
    }
    me.begin_waiting(kind, here->coarse_tick);
    if constexpr (knows_whom<Source>) {
      me.waits_on.store(reinterpret_cast<std::uintptr_t>(source.whom()), std::memory_order_release);
    } else if constexpr (knows_where<Source>) {
      me.waits_on.store(reinterpret_cast<std::uintptr_t>(source.where()),
                        std::memory_order_release);
    } else if (kind == wait_kind::join || kind == wait_kind::reply || kind == wait_kind::room) {
      me.waits_on.store(0, std::memory_order_release); // or it would be that of an earlier wait
    }
    const handover how =
        Stops == stoppable::no ? handover::parked_deaf : stoppable_park(*here, me);
    me.masks.wait_open = false;
    here->park(me, how);
    here = current_scheduler(); // possibly another

    bool fired = false;
    if constexpr (Timed) {
      fired = !alarm.disarm();
    }
    if (SMARM_LIKELY(source.satisfied())) {
      return wait_end::ready;
    }
    if (!source.withdraw()) {
      return wait_end::ready;
    }
    if constexpr (Stops == stoppable::yes) {
      stop_point(*here, me);
    }
    if (fired) {
      return wait_end::timed_out;
    }
    // Woken for nothing: by a stop that may not be raised, or by a registration that was stale.
  }
}

template <bool Timed, wait_source Source>
wait_end wait_as_thread(Source& source, std::int64_t deadline) {
  slot& me = this_thread_slot();
  for (;;) {
    const registration mine{&me, me.word.begin_wait()};
    const enrolment got = source.enroll(mine);
    if (got != enrolment::enrolled) {
      if (got == enrolment::overtaken) {
        (void)me.word.retire();
      }
      return wait_end::ready;
    }
    const bool woken = park_thread(me, mine.ticket, Timed ? deadline : no_deadline);
    if (source.satisfied() || !source.withdraw()) {
      return wait_end::ready;
    }
    if (!woken) {
      return wait_end::timed_out;
    }
  }
}

// Waits until the source is satisfied or, if Timed, the deadline (nanoseconds of the monotonic
// clock) has come. From actors, where it suspends the actor only and is a stop point if Stops says
// so, and from plain threads, where it blocks the thread.
template <bool Timed, stoppable Stops = stoppable::yes, wait_source Source>
SMARM_HOT_INLINE wait_end wait_for_source(Source& source, wait_kind kind,
                                          std::int64_t deadline = no_deadline) {
  scheduler* here = current_scheduler();
  if (SMARM_UNLIKELY(here == nullptr)) {
    return wait_as_thread<Timed>(source, deadline);
  }
  slot& me = *here->current;
  if (SMARM_UNLIKELY(!here->is_actor(&me))) {
    return wait_end::would_block;
  }
  return wait_as_actor<Timed, Stops>(here, me, source, deadline, kind);
}

// Whether the caller is in scheduler context, where nothing may wait: for those who would have done
// something before they find out.
[[nodiscard]] inline bool would_block_here() noexcept {
  const scheduler* here = current_scheduler();
  return here != nullptr && !here->is_actor(here->current);
}

using nanoseconds_of_any_size = std::chrono::duration<double, std::nano>;

// A deadline that is `delay` from now; saturates, so that a huge delay means never.
template <class Rep, class Period>
[[nodiscard]] std::int64_t deadline_after(const std::chrono::duration<Rep, Period>& delay) {
  const std::int64_t now = monotonic_now();
  if (!(delay > delay.zero())) { // as a delay that is no number is
    return now;
  }
  if (nanoseconds_of_any_size(delay).count() >= static_cast<double>(no_deadline - now)) {
    return no_deadline;
  }
  // Rounded up: a wait may end late but never early.
  return now + std::chrono::ceil<std::chrono::nanoseconds>(delay).count();
}

// Rounded up, and saturated: a clock of hours reaches further than one of nanoseconds, and in one of
// floating point a time may be no number, which is long past.
template <class Duration>
[[nodiscard]] std::int64_t nanoseconds_of(const Duration& since_epoch) {
  const double about = nanoseconds_of_any_size(since_epoch).count();
  if (about >= static_cast<double>(INT64_MAX)) {
    return INT64_MAX;
  }
  if (!(about > static_cast<double>(INT64_MIN))) {
    return INT64_MIN;
  }
  return std::chrono::ceil<std::chrono::nanoseconds>(since_epoch).count();
}

// A time of the steady clock is a deadline as it is. Of any other clock it is as far away as that
// clock says now: who sets the clock later does not move a wait that has begun.
template <class Clock, class Duration>
[[nodiscard]] std::int64_t deadline_of(const std::chrono::time_point<Clock, Duration>& at) {
  static_assert(
      requires { Clock::now(); }, "smarm: a deadline is a time of a clock with now(); convert a "
                                  "local time to system time first");
  const std::int64_t then = nanoseconds_of(at.time_since_epoch());
  if constexpr (std::is_same_v<Clock, std::chrono::steady_clock>) {
    return then > 0 ? then : 0;
  } else {
    const std::int64_t now = nanoseconds_of(Clock::now().time_since_epoch());
    if (then <= now || then == INT64_MAX) {
      return then <= now ? 0 : no_deadline;
    }
    const std::uint64_t away = static_cast<std::uint64_t>(then) - static_cast<std::uint64_t>(now);
    return deadline_after(std::chrono::duration<std::uint64_t, std::nano>(away));
  }
}

} // namespace smarm::detail

#endif
