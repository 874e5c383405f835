// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Messages that are sent again and again.
//
//     smarm::timer_id pulse = smarm::tick_every(100ms, tx, heartbeat{});
//
// As with send_after, it is a scheduler that copies and sends, in scheduler context, and a tick keeps
// its channel open but no runtime.

#ifndef SMARM_TICK_HPP
#define SMARM_TICK_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/tick_schedule.hpp>
#include <smarm/detail/timed_delivery.hpp>
#include <smarm/detail/timed_destination.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/missed_tick.hpp>
#include <smarm/runtime.hpp>
#include <smarm/timer_id.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <utility>

namespace smarm {

namespace detail {

// Throws boost::system::system_error, errc::invalid_config.
[[noreturn]] void refuse_period();

template <class Rep, class Period>
[[nodiscard]] tick_schedule schedule_of(const std::chrono::duration<Rep, Period>& period,
                                        missed_tick policy) {
  if (!(period > period.zero())) { // nor is one that is no number
    refuse_period();
  }
  const bool never = nanoseconds_of_any_size(period).count() >= static_cast<double>(no_deadline);
  return {deadline_after(period),
          never ? no_deadline : std::chrono::ceil<std::chrono::nanoseconds>(period).count(),
          policy};
}

template <class Destination>
struct repeated_send final : delivery_of<repeated_send<Destination>, Destination> {
  using base = delivery_of<repeated_send, Destination>;
  static_assert(std::copy_constructible<typename base::message>,
                "smarm: each tick sends a copy of the message");

  repeated_send(const Destination& to, typename base::message&& what, const tick_schedule& when)
      : base(true, to, std::move(what)), schedule(when) {}

  void fire_now(std::int64_t now) noexcept {
    bool more = true;
    // A burst is dealt out in portions, so that others have their turn.
    for (unsigned sent = 0; more && sent < at_once && (sent == 0 || schedule.due <= now) &&
                            !this->state.ended(); // cancelled since it was taken off the wheel
         ++sent) {
      more = send_copy();
      schedule.advance(now);
    }
    const std::int64_t next = schedule.due;
    if (!this->state.go_on([&] { return more && this->armed_in->arm(*this, next); })) {
      this->finish();
    } // else it may have fired again, and even be gone
  }

private:
  static constexpr unsigned at_once = 256;

  // False: nobody will ever be there again.
  [[nodiscard]] bool send_copy() noexcept {
    try {
      typename base::message copy(std::as_const(this->carried.what));
      const auto sent = this->carried.to.try_send(std::move(copy));
      return sent || this->note_failure(sent.error());
    } catch (...) {
      this->note_exception();
      return true;
    }
  }

  tick_schedule schedule; // the firing scheduler's
};

} // namespace detail

// Sends a copy of the value each time the period has passed, the first time after one period, until it
// is cancelled, the receiver is gone, or the last actor has ended. From actors and in scheduler
// context. Throws boost::system::system_error with errc::not_in_actor on a plain thread, where
// runtime_handle::tick_every works, and with errc::invalid_config for a period that is not longer than
// zero; std::bad_alloc; and what moving the value throws. Nothing was armed then.
//
// A tick that finds the channel full, or whose copy throws, is left out; the first one of a timer is
// reported as report_kind::callback_failed.
template <class Rep, class Period, class Destination>
timer_id tick_every(const std::chrono::duration<Rep, Period>& period, const Destination& to,
                    detail::message_of_t<Destination> value,
                    missed_tick policy = missed_tick::skip) {
  detail::check_scheduler("smarm::tick_every: on a plain thread use runtime_handle::tick_every");
  const auto schedule = detail::schedule_of(period, policy);
  auto& made = detail::repeated_send<Destination>::make(to, std::move(value), schedule);
  return detail::arm_delivery(detail::current_scheduler()->timers, made, schedule.due);
}

template <class Rep, class Period, class Destination>
boost::system::result<timer_id>
runtime_handle::tick_every(const std::chrono::duration<Rep, Period>& period, const Destination& to,
                           detail::message_of_t<Destination> value, missed_tick policy) const {
  const auto schedule = detail::schedule_of(period, policy);
  return arm(detail::repeated_send<Destination>::make(to, std::move(value), schedule),
             schedule.due);
}

} // namespace smarm

#endif
