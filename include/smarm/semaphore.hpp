// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Semaphores: so many at a time. For actors and plain threads; to be used as
// std::counting_semaphore is. First come, first served.
//
//     smarm::counting_semaphore<> connections(10);
//     connections.acquire();
//     ...
//     connections.release();

#ifndef SMARM_SEMAPHORE_HPP
#define SMARM_SEMAPHORE_HPP

#include <smarm/detail/check_count.hpp>
#include <smarm/detail/semaphore_core.hpp>
#include <smarm/detail/this_caller.hpp>
#include <smarm/detail/wait.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace smarm {

namespace detail {

// The part that does not depend on the maximum.
class semaphore_base {
public:
  semaphore_base(const semaphore_base&) = delete;
  semaphore_base& operator=(const semaphore_base&) = delete;

  // Takes one. Suspends while there is none. Stop point: a stop leaves the count as it is. Throws
  // boost::system::system_error: would_block_scheduler if it would have to wait in scheduler
  // context. Constant time.
  SMARM_ALWAYS_INLINE void acquire() {
    if (SMARM_UNLIKELY(!acquire_at_once())) {
      (void)acquire_slowly(no_deadline);
    }
  }

  // Takes one if there is one at once, else false. Neither suspends nor is a stop point.
  [[nodiscard]] bool try_acquire() noexcept { return core_.try_acquire(); }

  // Takes one, if that is possible within the time; false if it is not. Suspends while there is
  // none, unless no time is given. Stop point. One who is given one at the very moment in which time
  // runs out, or a stop comes, has it and returns true. Errors as acquire.
  template <class Rep, class Period>
  [[nodiscard]] bool try_acquire_for(const std::chrono::duration<Rep, Period>& limit) {
    return acquire_at_once() || acquire_before(deadline_after(limit));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_acquire_until(const std::chrono::time_point<Clock, Duration>& deadline) {
    return acquire_at_once() || acquire_before(deadline_of(deadline));
  }

protected:
  constexpr explicit semaphore_base(std::ptrdiff_t count) noexcept
      : core_(static_cast<std::uint64_t>(count)) {}

  // Before the clock is looked at, which costs more than all the rest.
  [[nodiscard]] SMARM_ALWAYS_INLINE bool acquire_at_once() {
    stop_point_here();
    return core_.try_acquire();
  }
  [[nodiscard]] bool acquire_before(std::int64_t deadline);
  [[nodiscard]] bool acquire_slowly(std::int64_t deadline);

  semaphore_core core_;
};

} // namespace detail

// The count stays between 0 and Max.
template <std::ptrdiff_t Max = PTRDIFF_MAX>
class counting_semaphore : public detail::semaphore_base {
  static_assert(Max >= 0, "smarm: a semaphore's maximum is not negative");

public:
  // There are `count` to begin with: 0 <= count <= max(). Throws boost::system::system_error:
  // invalid_config for another count.
  constexpr explicit counting_semaphore(std::ptrdiff_t count)
      : semaphore_base(detail::checked_count("semaphore", count, Max)) {}

  // Adds n >= 0: to those who wait, in the order in which they came, and the rest to the count.
  // Neither suspends nor is a stop point. Throws boost::system::system_error: count_out_of_range if
  // n is negative or the count would pass max(); nothing is added then. Linear in the number of
  // waits that it ends.
  void release(std::ptrdiff_t n = 1) {
    if (SMARM_UNLIKELY(n == 0)) {
      return;
    }
    if (SMARM_UNLIKELY(n < 0 || !core_.release(static_cast<std::uint64_t>(n), Max))) {
      detail::throw_count_out_of_range("semaphore: released", n);
    }
  }

  // The largest count that is allowed.
  [[nodiscard]] static constexpr std::ptrdiff_t max() noexcept { return Max; }
};

using binary_semaphore = counting_semaphore<1>;

} // namespace smarm

#endif
