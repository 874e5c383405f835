// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How often a bounded channel was full.

#ifndef SMARM_DETAIL_OVERFLOW_COUNTERS_HPP
#define SMARM_DETAIL_OVERFLOW_COUNTERS_HPP

#include <smarm/bounded.hpp>

#include <atomic>
#include <cstdint>

namespace smarm::detail {

// Written by senders as they meet a full channel; read by anybody. Relaxed: figures, no more. Who
// drops the oldest message counts under the queue's lock.
struct overflow_counters {
  std::atomic<std::uint64_t> blocked{0}, refused{0}, dropped_newest{0};

  static void add(std::atomic<std::uint64_t>& to) noexcept {
    to.fetch_add(1, std::memory_order_relaxed);
  }
  [[nodiscard]] overflow_counts read() const noexcept {
    constexpr auto relaxed_order = std::memory_order_relaxed;
    return {.blocked = blocked.load(relaxed_order),
            .refused = refused.load(relaxed_order),
            .dropped_newest = dropped_newest.load(relaxed_order),
            .dropped_oldest = 0};
  }
};

} // namespace smarm::detail

#endif
