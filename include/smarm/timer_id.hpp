// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The name of a message under way to its time, as send_after and tick_every return it; what cancel
// takes.

#ifndef SMARM_TIMER_ID_HPP
#define SMARM_TIMER_ID_HPP

#include <smarm/detail/config.hpp>

#include <utility>

namespace smarm {

namespace detail {
struct timed_delivery;
struct timer_id_access;
} // namespace detail

// Cheap to copy. It may be kept as long as one likes, also after its runtime is gone; and dropping it
// cancels nothing. One that was made by default, or moved from, names no timer.
class timer_id {
public:
  timer_id() noexcept = default;
  timer_id(const timer_id& other) noexcept;
  timer_id(timer_id&& other) noexcept : delivery_(std::exchange(other.delivery_, nullptr)) {}
  timer_id& operator=(timer_id other) noexcept {
    std::swap(delivery_, other.delivery_);
    return *this;
  }
  ~timer_id();

  // True while the timer has neither fired for the last time, nor been cancelled, nor ended with its
  // run. Does not suspend.
  [[nodiscard]] bool pending() const noexcept;

  // Whether both name the same timer, or none.
  [[nodiscard]] friend bool operator==(const timer_id& a, const timer_id& b) noexcept {
    return a.delivery_ == b.delivery_;
  }

  // See below.
  friend bool cancel(const timer_id& id) noexcept;

private:
  friend struct detail::timer_id_access;
  detail::timed_delivery* delivery_ = nullptr; // one share of it, or null
};

// Cancels a timer: its message is not sent, and is destroyed before this returns, under no lock. True
// for one caller only, and only if it came before the fire; false means that the message was sent, is
// being sent at this moment, or never will be because of another cancel or the end of the run. A tick
// is cancelled for good; true even if it is firing at this moment, which is then the last time. From
// any thread, at any time. Does not suspend, unless the message's destructor does.
bool cancel(const timer_id& id) noexcept;

} // namespace smarm

#endif
