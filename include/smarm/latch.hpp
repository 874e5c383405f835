// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A latch: waiting until a number of things have happened, once. For actors and plain threads; to be
// used as std::latch is.
//
//     smarm::latch started(3);
//     ...                      // three others: started.count_down();
//     started.wait();

#ifndef SMARM_LATCH_HPP
#define SMARM_LATCH_HPP

#include <smarm/detail/waiter_queue.hpp>

#include <cstddef>

namespace smarm {

class latch {
public:
  // Opens when it was counted down by `expected` >= 0.
  constexpr explicit latch(std::ptrdiff_t expected) noexcept : count_(expected) {
    SMARM_ASSERT(expected >= 0 && "a latch's count is negative");
  }
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;

  // Counts down by n, at most by what is left; at zero the latch is open for ever, and all who wait
  // go on. Neither suspends nor is a stop point. Constant time, or linear in the number of waits
  // that it ends. Whoever has seen the latch open may destroy
  // it, unless somebody else who waits there can be stopped: who is stopped looks at it once more.
  void count_down(std::ptrdiff_t n = 1) noexcept;

  // Whether it is open. Neither suspends nor is a stop point.
  [[nodiscard]] bool try_wait() const noexcept;

  // Suspends until it is open. Stop point. Throws boost::system::system_error: would_block_scheduler
  // if it would have to wait in scheduler context.
  void wait() const;

  // Counts down and waits; the counting has been done even if a stop ends the wait.
  void arrive_and_wait(std::ptrdiff_t n = 1) {
    count_down(n);
    wait();
  }

  // The largest count that is allowed.
  [[nodiscard]] static constexpr std::ptrdiff_t max() noexcept { return PTRDIFF_MAX; }

private:
  struct place;

  mutable detail::waiter_queue queue_;
  std::ptrdiff_t count_; // under the queue's lock
};

} // namespace smarm

#endif
