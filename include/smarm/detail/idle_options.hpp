// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How long the idle part of a scheduler looks before it sleeps, how often the one that stands by looks
// again, and how many wake-ups deadlines are worth.

#ifndef SMARM_DETAIL_IDLE_OPTIONS_HPP
#define SMARM_DETAIL_IDLE_OPTIONS_HPP

#include <cstdint>

namespace smarm::detail {

struct idle_options {
  // A searcher spins so long before it sleeps: about what a futex wake costs its waker. 0: never,
  // which is right where there is one processor.
  std::int64_t spin_ns = 5'000;
  // A lone item is taken from a busy sibling only when one stood there at every look for so long:
  // sooner, its owner is about to run it, and two actors that talk are best left on one core.
  std::int64_t lone_ns = 3'000;
  // While somebody is busy one sleeper stands by: it looks again after so long, then after twice
  // that, up to the limit. 0: nobody stands by.
  std::int64_t standby_first_ns = 100'000;
  std::int64_t standby_limit_ns = 500'000;
  // Once all are idle it stays on for one such stretch without anything happening, so that events
  // in a row do not each have to wake a new one.
  std::int64_t linger_ns = 4'000'000;
  // Deadlines that follow one on which a sleeper woke within so long share the next wake-up. One
  // that comes alone is not kept waiting. 0: each has its own.
  std::int64_t timer_slack_ns = 100'000;

  [[nodiscard]] static idle_options for_this_machine() noexcept;
};

} // namespace smarm::detail

#endif
