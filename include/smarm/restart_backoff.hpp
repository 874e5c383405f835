// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How long a supervisor waits before it starts a child anew. Without it the child is started at once,
// which is right for a child that fails for a reason of its own; what fails for a reason outside, a
// database that is away, should be given time:
//
//     smarm::restart_backoff{.initial = 100ms, .maximum = 30s}

#ifndef SMARM_RESTART_BACKOFF_HPP
#define SMARM_RESTART_BACKOFF_HPP

#include <chrono>

namespace smarm {

//[restart_backoff_outline
struct restart_backoff {
  std::chrono::nanoseconds initial{}; // before the first restart; 0: no back-off
  std::chrono::nanoseconds maximum = std::chrono::seconds(30);
  double factor = 2.0; // from one restart to the next, if the child has failed soon after the first
  double jitter = 0.1; // each wait is longer or shorter by up to this part of it, at random
  // A child that ran for so long has recovered: the next wait is the initial one. 0: twice the maximum.
  std::chrono::nanoseconds recovered_after{};

  // The wait before the attempt of that number, the first being 0. `random` is evenly from [0, 1).
  [[nodiscard]] std::chrono::nanoseconds delay(unsigned attempt, double random) const noexcept;
  [[nodiscard]] bool recovered(std::chrono::nanoseconds ran) const noexcept {
    return recovered_after.count() != 0 ? ran >= recovered_after : ran / 2 >= maximum;
  }
  [[nodiscard]] explicit operator bool() const noexcept { return initial.count() != 0; }
};
//]

} // namespace smarm

#endif
