// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/restart_backoff.hpp>

#include <algorithm>
#include <cmath>

namespace smarm {

std::chrono::nanoseconds restart_backoff::delay(unsigned attempt, double random) const noexcept {
  const double most = static_cast<double>(maximum.count());
  const double wanted = static_cast<double>(initial.count()) * std::pow(factor, attempt);
  const double around = std::min(wanted, most); // also if the power is infinite
  const double spread = around * (1 + jitter * (2 * random - 1));
  using nanoseconds = std::chrono::nanoseconds;
  // The longest as a floating-point number is one too many.
  return spread < static_cast<double>(nanoseconds::max().count())
             ? nanoseconds(static_cast<nanoseconds::rep>(spread))
             : nanoseconds::max();
}

} // namespace smarm
