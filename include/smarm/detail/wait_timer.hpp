// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The timer of one wait. It lies in a small block from the scheduler's pool: the wheel walks over
// the timers of all who wait, and in their frames each would be on a page of its own, far from the
// cache. Where there is no memory for a block it lies in the frame after all; a wait never fails
// for that.

#ifndef SMARM_DETAIL_WAIT_TIMER_HPP
#define SMARM_DETAIL_WAIT_TIMER_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/node_pool.hpp>
#include <smarm/detail/scheduler.hpp>
#include <smarm/detail/this_scheduler.hpp>
#include <smarm/detail/timers.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace smarm::detail {

// To be made before the wait is opened, since the heap may be the user's code. Whoever destroys it
// has disarmed it, or never armed it.
class wait_timer {
public:
  SMARM_ALWAYS_INLINE explicit wait_timer(scheduler& here) noexcept {
    void* block = node_pool::allocate(&here.nodes, sizeof(timer));
    in_frame_ = SMARM_UNLIKELY(block == nullptr);
    timer_ = ::new (in_frame_ ? static_cast<void*>(frame_) : block) timer;
  }
  wait_timer(const wait_timer&) = delete;
  wait_timer& operator=(const wait_timer&) = delete;
  // To the pool of the scheduler that runs the actor by now.
  SMARM_ALWAYS_INLINE ~wait_timer() {
    if (SMARM_LIKELY(!in_frame_)) {
      node_pool::release(&current_scheduler()->nodes, timer_, sizeof(timer));
    }
  }

  SMARM_ALWAYS_INLINE void arm(timer_set& in, slot& who, std::uint64_t ticket,
                               std::int64_t deadline) noexcept {
    timer_->who = &who;
    timer_->ticket = ticket;
    [[maybe_unused]] const bool armed = in.arm(*timer_, deadline);
    SMARM_ASSERT(armed && "an actor outlived its run");
  }

  // False: it has fired.
  SMARM_ALWAYS_INLINE bool disarm() noexcept { return timer_set::disarm(*timer_); }

private:
  // In front of the block malloc keeps eight bytes: together one line of the cache.
  static_assert(sizeof(timer) <= cache_line - 8);

  timer* timer_;
  bool in_frame_;
  alignas(timer) std::byte frame_[sizeof(timer)];
};

// Of a wait without a deadline.
struct no_wait_timer {
  explicit no_wait_timer(scheduler&) noexcept {}
};

} // namespace smarm::detail

#endif
