// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the idle part of a scheduler has done so far. Statistics only: no decision reads them, but
// the pace of the one that stands by.

#ifndef SMARM_DETAIL_IDLE_COUNTERS_HPP
#define SMARM_DETAIL_IDLE_COUNTERS_HPP

#include <atomic>
#include <cstdint>

namespace smarm::detail {

// Written by one thread, read by any; relaxed, so no read-modify-write is needed.
class tally {
public:
  void add() noexcept { count_.store(count() + 1, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t count() const noexcept {
    return count_.load(std::memory_order_relaxed);
  }

  void reset() noexcept { count_.store(0, std::memory_order_relaxed); }

private:
  std::atomic<std::uint64_t> count_{0};
};

struct idle_counters {
  tally wakes;       // siblings woken
  tally searches;    // times it spun
  tally search_hits; // with success
  tally lone_taken;  // lone items taken from a sibling
  tally parks;       // times it went to sleep
  tally spurious;    // woken to find nothing
  tally looks;       // looks while it stood by

  void reset() noexcept {
    for (tally* t : {&wakes, &searches, &search_hits, &lone_taken, &parks, &spurious, &looks}) {
      t->reset();
    }
  }
};

} // namespace smarm::detail

#endif
