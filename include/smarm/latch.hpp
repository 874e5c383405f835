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

#include <smarm/detail/check_count.hpp>
#include <smarm/detail/latch_core.hpp>

#include <cstddef>

namespace smarm {

class latch {
public:
  // Opens when it was counted down by `expected` >= 0. Throws boost::system::system_error:
  // invalid_config for a negative count.
  constexpr explicit latch(std::ptrdiff_t expected)
      : core_(detail::checked_count("latch", expected)) {}
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;

  // Counts down by n >= 0; at zero the latch is open for ever, and all who wait go on. Neither
  // suspends nor is a stop point. Throws boost::system::system_error: count_out_of_range if n is
  // negative or more than what is left; nothing is counted then. Constant time, or linear in the
  // number of waits that it ends. Whoever has seen the latch open may destroy it, unless somebody
  // else who waits there can be stopped: who is stopped looks at it once more.
  void count_down(std::ptrdiff_t n = 1) {
    if (!core_.count_down(n)) {
      detail::throw_count_out_of_range("latch: counted down", n);
    }
  }

  // Whether it is open. Neither suspends nor is a stop point.
  [[nodiscard]] bool try_wait() const noexcept { return core_.open(); }

  // Suspends until it is open. Stop point. Throws boost::system::system_error: would_block_scheduler
  // if it would have to wait in scheduler context.
  void wait() const;

  // Counts down and waits; the counting has been done even if a stop ends the wait. Errors of both.
  void arrive_and_wait(std::ptrdiff_t n = 1) {
    count_down(n);
    wait();
  }

  // The largest count that is allowed.
  [[nodiscard]] static constexpr std::ptrdiff_t max() noexcept { return PTRDIFF_MAX; }

private:
  mutable detail::latch_core core_;
};

} // namespace smarm

#endif
