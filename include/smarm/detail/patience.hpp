// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How a thread that expects to be called waits before it sleeps. Who calls it again and again can do so
// in far less time than it takes to wake a thread that sleeps on another processor. So it looks on for
// about that long; where that was in vain it does so ever more rarely, until it was good for something
// again.

#ifndef SMARM_DETAIL_PATIENCE_HPP
#define SMARM_DETAIL_PATIENCE_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/timers.hpp>

#include <algorithm>
#include <cstdint>
#include <thread>

namespace smarm::detail {

class patience {
public:
  // True: seen() is. With one processor nobody can call meanwhile.
  template <class Seen>
  bool look_on(Seen seen, std::int64_t deadline) noexcept {
    if (!others_run_meanwhile()) {
      return false;
    }
    if (pass_over_ != 0) {
      --pass_over_;
      return false;
    }
    const std::int64_t begin = monotonic_now();
    const std::int64_t end = std::min(deadline, begin + longest);
    for (std::int64_t now = begin; now < end; now = monotonic_now()) {
      for (int i = 0; i < 8; ++i) {
        if (seen()) {
          passed_over_ = 0;
          return true;
        }
        std_atomics::pause();
      }
    }
    passed_over_ = std::min(2 * passed_over_ + 1, most_passed_over);
    pass_over_ = passed_over_;
    return false;
  }

private:
  static constexpr std::int64_t longest = 30'000; // nanoseconds
  static constexpr unsigned most_passed_over = 63;

  static bool others_run_meanwhile() noexcept {
    static const bool several = std::thread::hardware_concurrency() > 1;
    return several;
  }

  unsigned passed_over_ = 0; // so many waits were left alone after the last one in vain
  unsigned pass_over_ = 0;   // so many still are to be
};

} // namespace smarm::detail

#endif
