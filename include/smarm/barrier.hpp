// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A barrier: a group works in phases, and nobody begins the next one before all have ended this one.
// For actors and plain threads; to be used as std::barrier is.
//
//     smarm::barrier phase(4, []() noexcept { ... });   // called once per phase
//     for (...) { work(); phase.arrive_and_wait(); }    // in each of four actors

#ifndef SMARM_BARRIER_HPP
#define SMARM_BARRIER_HPP

#include <smarm/detail/stops_later.hpp>
#include <smarm/detail/waiter_queue.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace smarm {

namespace detail {

// The part that does not depend on the completion function.
class barrier_core {
public:
  constexpr explicit barrier_core(std::ptrdiff_t expected) noexcept
      : expected_(expected), missing_(expected) {
    SMARM_ASSERT(expected >= 0 && "a barrier's count is negative");
  }

  struct arrival {
    std::uint64_t phase;
    bool last; // the caller completes the phase
  };
  [[nodiscard]] arrival arrive(std::ptrdiff_t n, bool drops) noexcept;
  void complete() noexcept;
  void wait(std::uint64_t phase);

private:
  struct place;

  waiter_queue queue_;
  std::ptrdiff_t expected_; // these under the queue's lock
  std::ptrdiff_t missing_;
  std::uint64_t phase_ = 0;
};

struct no_completion {
  void operator()() noexcept {}
};

} // namespace detail

// The completion function is called by the last to arrive, before anybody goes on; it holds no lock
// and may wait, but not for the barrier. No stop ends its waits: it is raised later.
template <class Completion = detail::no_completion>
class barrier {
  static_assert(
      std::is_nothrow_invocable_v<Completion&>,
      "smarm: a barrier's completion function is called without arguments and is noexcept");

public:
  // Says in which phase somebody arrived.
  class arrival_token {
    friend class barrier;
    explicit arrival_token(std::uint64_t phase) noexcept : phase_(phase) {}
    std::uint64_t phase_;
  };

  // A phase is complete when `expected` >= 0 have arrived.
  constexpr explicit barrier(std::ptrdiff_t expected, Completion completion = Completion())
      : core_(expected), completion_(std::move(completion)) {}
  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;

  // Counts the caller, or n > 0 of them, as arrived, at most as many as are still missing in this
  // phase. Calls the completion function if they are the last. Suspends only if that does; no stop
  // point. Constant time, or linear in the number of waits that it ends.
  [[nodiscard]] arrival_token arrive(std::ptrdiff_t n = 1) { return arrive(n, false); }

  // Suspends until the phase of the token is complete. Stop point. Throws
  // boost::system::system_error: would_block_scheduler if it would have to wait in scheduler
  // context.
  void wait(arrival_token token) { core_.wait(token.phase_); }

  // Both. A stop may end the wait, but the arrival counts; who is stopped and will not come again
  // should be counted out by arrive_and_drop, lest the others wait for it in the next phase.
  void arrive_and_wait() { wait(arrive()); }

  // Arrives, and is not expected in later phases. Suspends only if the completion function does; no
  // stop point.
  void arrive_and_drop() { (void)arrive(1, true); }

  // The largest count that is allowed.
  [[nodiscard]] static constexpr std::ptrdiff_t max() noexcept { return PTRDIFF_MAX; }

private:
  arrival_token arrive(std::ptrdiff_t n, bool drops) {
    const detail::barrier_core::arrival mine = core_.arrive(n, drops);
    if (mine.last) {
      const detail::stops_later masked; // the function is noexcept, and the others wait for its end
      std::invoke(completion_);
      core_.complete();
    }
    return arrival_token(mine.phase);
  }

  detail::barrier_core core_;
  [[no_unique_address]] Completion completion_;
};

} // namespace smarm

#endif
