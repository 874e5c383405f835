// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How long the actors of a scheduler run at a stretch, and whether what is queued is worth a sibling.
// To wake one costs some 5 to 10 us here and as much over there, which a handful of actors that run
// for a few hundred nanoseconds each never gives back. If the estimate is wrong, since those that are
// queued run for longer than those before them, whoever stands by takes them a little later.

#ifndef SMARM_DETAIL_RUN_PACE_HPP
#define SMARM_DETAIL_RUN_PACE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace smarm::detail {

// Times are readings of the time-stamp counter. The scheduler's own.
class run_pace {
public:
  // So much work is worth a wake.
  static constexpr std::uint64_t worth_a_wake = 50'000;

  // The scheduler has something to do again.
  void begin(std::uint64_t now, std::uint64_t switches) noexcept {
    since_ = now;
    switches_ = switches;
  }

  // So many switches since the scheduler started, up to now.
  void sample(std::uint64_t now, std::uint64_t switches) noexcept {
    if (switches == switches_) {
      return;
    }
    // No more than what is worth a wake by itself, so that one that was interrupted is soon forgotten.
    stretch_ = (stretch_ + std::min((now - since_) / (switches - switches_), worth_a_wake)) / 2;
    begin(now, switches);
  }

  [[nodiscard]] bool worth_sharing(std::size_t queued) const noexcept {
    return queued * (stretch_ + 1) >= worth_a_wake;
  }

private:
  std::uint64_t since_ = 0;
  std::uint64_t switches_ = 0;
  std::uint64_t stretch_ = worth_a_wake; // nothing is known yet
};

} // namespace smarm::detail

#endif
