// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The timers of one scheduler: a wheel under a lock. Its scheduler arms, and finds the lock free
// nearly always; whoever fires due timers or cancels may be any thread. Nothing is woken, called or
// destroyed while the lock is held.

#ifndef SMARM_DETAIL_TIMERS_HPP
#define SMARM_DETAIL_TIMERS_HPP

#include <smarm/detail/coordinator.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/detail/timer_wheel.hpp>

#include <cstdint>

namespace smarm::detail {

struct slot;
class timer_set;

// A timer ends a wait, or calls back. A wait's timer lies in the wait; one that calls back is a
// block of its own, and belongs to the callback once it was taken off the wheel.
struct timer : timer_node {
  slot* who = nullptr;           // whose wait it ends: read under the lock, with the ticket
  std::uint64_t ticket = 0;
  void (*call)(timer&) noexcept = nullptr;    // null: it ends a wait
  void (*destroy)(timer&) noexcept = nullptr; // for a callback that never comes
  timer_set* armed_in = nullptr; // null: never armed
};

class timer_set {
public:
  timer_set(coordinator& wakes, unsigned scheduler_id) noexcept;
  ~timer_set();
  timer_set(const timer_set&) = delete;
  timer_set& operator=(const timer_set&) = delete;

  // Arms for a deadline in nanoseconds of the monotonic clock; wakes who sleeps past it.
  void arm(timer& t, std::int64_t deadline) noexcept;

  // True if the timer had not fired: it will not, and nobody refers to it any more. False: it was
  // taken off, and its wake or call is done or under way without touching it.
  static bool disarm(timer& t) noexcept;

  // Fires what is due at `now`, in order of deadline; returns how many.
  std::size_t fire_due(std::int64_t now) noexcept;

  // Destroys every callback that has not been called. Waits must have ended.
  void clear() noexcept;

  [[nodiscard]] std::size_t size() noexcept;

private:
  void publish_deadline() noexcept;

  raw_lock lock_;
  timer_wheel wheel_;
  std::int64_t published_ = no_deadline; // what the coordinator knows; under lock_
  coordinator& wakes_;
  const unsigned id_;
};

// Nanoseconds of the monotonic clock, as std::chrono::steady_clock counts them.
[[nodiscard]] std::int64_t monotonic_now() noexcept;

} // namespace smarm::detail

#endif
