// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The timers of one scheduler: a wheel under a lock. Its scheduler arms, and finds the lock free
// nearly always; whoever fires due timers or cancels may be any thread. Nothing is woken, called or
// destroyed while the lock is held. It is the innermost of locks: whoever cancels may hold its own.
//
// A run ends with clear(), while other schedulers may still be firing: what they would arm again is
// refused from then on, so that no timer outlives its run.

#ifndef SMARM_DETAIL_TIMERS_HPP
#define SMARM_DETAIL_TIMERS_HPP

#include <smarm/detail/coordinator.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/detail/timer_wheel.hpp>

#include <cstdint>

namespace smarm::detail {

struct slot;
class timer_set;

// Ends a wait, which owns it; see wait_timer.hpp for where it lies.
struct timer : timer_node {
  slot* who = nullptr; // whose wait it ends: read under the lock, with the ticket
  std::uint64_t ticket = 0;
  timer_set* armed_in = nullptr; // null: never armed
};

// A timer that ends no wait, who being null, but calls back. It belongs to the callback once it was
// taken off the wheel. A callback runs in scheduler context and may do there what anybody may: send,
// wake, arm, cancel.
struct callback_timer : timer {
  // Called with the time at which its scheduler looked.
  void (*call)(callback_timer&, std::int64_t now) noexcept = nullptr;
  void (*destroy)(callback_timer&) noexcept = nullptr; // for a callback that never comes
  callback_timer* next_due = nullptr;                  // see timer_set::first_due_
};

class timer_set {
public:
  timer_set(coordinator& wakes, unsigned scheduler_id) noexcept;
  ~timer_set();
  timer_set(const timer_set&) = delete;
  timer_set& operator=(const timer_set&) = delete;

  // Arms for a deadline in nanoseconds of the monotonic clock; wakes who sleeps past it. False: the
  // run is over, and the timer is as it was.
  [[nodiscard]] bool arm(timer& t, std::int64_t deadline) noexcept;

  // True if the timer had not fired: it will not, and nobody refers to it any more. False: it was
  // taken off, and its wake or call is done or under way without touching it.
  static bool disarm(timer& t) noexcept;

  // Fires what is due at `now`, in order of deadline; returns how many. One at a time calls back, so
  // that callbacks keep that order among each other: what somebody else finds meanwhile is left to
  // it. Waits end though a callback takes its time.
  std::size_t fire_due(std::int64_t now) noexcept;

  // Destroys every callback that has not been called, and arms nothing from here on. Waits must have
  // ended.
  void clear() noexcept;

  // Before a run: arms again.
  void open() noexcept;

  [[nodiscard]] std::size_t size() noexcept;

private:
  void publish_deadline() noexcept;

  raw_lock lock_{lock_class::channel};
  timer_wheel wheel_;
  bool closed_ = false;                  // under lock_
  bool called_ = false;                  // somebody calls back; under lock_
  callback_timer* first_due_ = nullptr;  // callbacks that were left to it, in order; under lock_
  callback_timer* last_due_ = nullptr;   // likewise
  std::int64_t published_ = no_deadline; // what the coordinator knows; under lock_
  coordinator& wakes_;
  const unsigned id_;
};

// Nanoseconds of the monotonic clock, as std::chrono::steady_clock counts them.
[[nodiscard]] std::int64_t monotonic_now() noexcept;

} // namespace smarm::detail

#endif
