// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The blocking pool of a runtime in figures, for the present run or the last one: each run counts from
// zero. All are of one instant.

#ifndef SMARM_BLOCKING_STATS_HPP
#define SMARM_BLOCKING_STATS_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace smarm {

//[blocking_stats_outline
struct blocking_stats {
  std::size_t threads = 0;         // that there are
  std::size_t idle = 0;            // of these, with nothing to do
  std::size_t queued = 0;          // calls that wait for a thread
  std::size_t running = 0;         // calls that are being carried out
  std::uint64_t started_threads = 0;
  std::uint64_t refused_threads = 0; // by the system
  std::uint64_t completed = 0;     // calls that were carried out
  std::uint64_t withdrawn = 0;     // by a stop or a deadline, before they had begun
  std::uint64_t rejected = 0;      // since the queue was full, or there was no thread
  std::size_t longest_queue = 0;
  std::chrono::nanoseconds longest_wait{}; // of a call for its thread
};
//]

} // namespace smarm

#endif
