// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a test runtime puts in the place of the world, for the one thread that runs it: a clock that
// stands still unless it is moved, and chance that a seed determines.

#ifndef SMARM_DETAIL_SIMULATION_HPP
#define SMARM_DETAIL_SIMULATION_HPP

#include <smarm/detail/relaxed.hpp>

#include <cstdint>
#include <random>

namespace smarm::detail {

struct simulation {
  // Nanoseconds of the monotonic clock. Moved by the thread that runs the test runtime, read by anybody.
  relaxed<std::int64_t> now;
  std::mt19937_64 chance;
};

// The calling thread's, or null: the world's clock and chance hold. Written by who runs a test runtime on
// this thread.
extern constinit thread_local simulation* simulated;

// The world's monotonic clock, for who has to know it all the same.
[[nodiscard]] std::int64_t world_now() noexcept;

// Where a generator of one's own begins.
[[nodiscard]] std::uint64_t random_seed();

} // namespace smarm::detail

#endif
