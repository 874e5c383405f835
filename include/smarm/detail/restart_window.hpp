// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// When a supervisor gives up: more than so many restarts within so long.

#ifndef SMARM_DETAIL_RESTART_WINDOW_HPP
#define SMARM_DETAIL_RESTART_WINDOW_HPP

#include <chrono>
#include <cstddef>
#include <deque>

namespace smarm::detail {

class restart_window {
public:
  using time_point = std::chrono::steady_clock::time_point;

  // Throws std::bad_alloc.
  restart_window(unsigned intensity, std::chrono::nanoseconds period)
      : intensity_(intensity), period_(period) {}

  // One more, at that time, which is not before that of the last. False: that is one too many. Throws
  // std::bad_alloc.
  [[nodiscard]] bool add(time_point now) {
    while (!times_.empty() && now - times_.front() > period_) {
      times_.pop_front();
    }
    if (times_.size() >= intensity_) {
      return false;
    }
    times_.push_back(now);
    return true;
  }

  // Those that count at present.
  [[nodiscard]] std::size_t size() const noexcept { return times_.size(); }

private:
  const unsigned intensity_;
  const std::chrono::nanoseconds period_;
  std::deque<time_point> times_;
};

} // namespace smarm::detail

#endif
