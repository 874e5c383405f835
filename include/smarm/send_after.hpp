// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Messages that are sent later.
//
//     smarm::timer_id reminder = smarm::send_after(5s, tx, message{...});
//     smarm::cancel(reminder);       // true: it will not come
//
// The message is sent by a scheduler, in scheduler context: there it is moved, and there it is
// destroyed if nobody is left to receive it. A timer keeps its channel open, but no runtime: what is
// still under way when the last actor has ended is destroyed.

#ifndef SMARM_SEND_AFTER_HPP
#define SMARM_SEND_AFTER_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/timed_delivery.hpp>
#include <smarm/detail/timed_destination.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/runtime.hpp>
#include <smarm/timer_id.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <cstdint>
#include <utility>

namespace smarm {

namespace detail {

template <class Destination>
struct delayed_send final : delivery_of<delayed_send<Destination>, Destination> {
  using base = delivery_of<delayed_send, Destination>;

  delayed_send(const Destination& to, typename base::message&& what)
      : base(false, to, std::move(what)) {}

  void fire_now(std::int64_t) noexcept {
    this->state.end(); // a cancel comes too late from here on
    try {
      const auto sent = this->carried.to.try_send(std::move(this->carried.what));
      if (!sent) {
        (void)this->note_failure(sent.error());
      }
    } catch (...) {
      this->note_exception();
    }
    this->finish();
  }
};

template <class Destination>
[[nodiscard]] timer_id send_at_deadline(std::int64_t deadline, const Destination& to,
                                        message_of_t<Destination>&& value) {
  check_scheduler("smarm::send_after: on a plain thread use runtime_handle::send_after");
  auto& made = delayed_send<Destination>::make(to, std::move(value));
  // Moving the value may have brought us to another scheduler.
  return arm_delivery(current_scheduler()->timers, made, deadline);
}

} // namespace detail

// Sends the value when that time has passed: never before, at once if it is zero or less. From actors
// and in scheduler context. Throws boost::system::system_error with errc::not_in_actor on a plain
// thread, where runtime_handle::send_after works; std::bad_alloc; and what moving the value throws.
// Nothing was armed then. Messages that are armed on one scheduler come in the order of their deadlines
// and, where these are the same microsecond, in that of arming.
//
// A receiver that is gone is no error. A message that finds its channel full is dropped, counted by
// the channel, and reported as report_kind::callback_failed, as is one whose move throws.
template <class Rep, class Period, class Destination>
timer_id send_after(const std::chrono::duration<Rep, Period>& delay, const Destination& to,
                    detail::message_of_t<Destination> value) {
  return detail::send_at_deadline(detail::deadline_after(delay), to, std::move(value));
}

// The same for a time of the steady clock.
template <class Clock, class Duration, class Destination>
timer_id send_at(const std::chrono::time_point<Clock, Duration>& when, const Destination& to,
                 detail::message_of_t<Destination> value) {
  return detail::send_at_deadline(detail::deadline_of(when), to, std::move(value));
}

template <class Rep, class Period, class Destination>
boost::system::result<timer_id>
runtime_handle::send_after(const std::chrono::duration<Rep, Period>& delay, const Destination& to,
                           detail::message_of_t<Destination> value) const {
  return arm(detail::delayed_send<Destination>::make(to, std::move(value)),
             detail::deadline_after(delay));
}

template <class Clock, class Duration, class Destination>
boost::system::result<timer_id>
runtime_handle::send_at(const std::chrono::time_point<Clock, Duration>& when, const Destination& to,
                        detail::message_of_t<Destination> value) const {
  return arm(detail::delayed_send<Destination>::make(to, std::move(value)),
             detail::deadline_of(when));
}

} // namespace smarm

#endif
