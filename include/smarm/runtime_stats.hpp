// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Figures of a runtime, summed over its schedulers, for the present run or the last one: each run
// counts from zero. Each is exact for what had happened when it was read, the whole is no snapshot of
// one instant.

#ifndef SMARM_RUNTIME_STATS_HPP
#define SMARM_RUNTIME_STATS_HPP

#include <smarm/blocking_stats.hpp>
#include <smarm/io_stats.hpp>

#include <cstddef>
#include <cstdint>

namespace smarm {

//[runtime_stats_outline
struct runtime_stats {
  unsigned schedulers = 0;
  std::uint64_t spawned = 0;   // actors started in this run
  std::uint64_t ended = 0;     // actors ended in this run
  std::uint64_t switches = 0;  // times an actor was given a processor
  std::uint64_t overruns = 0;  // times checkpoint() found the slice used up
  std::uint64_t wake_slot_hits = 0;
  std::uint64_t wake_slot_displacements = 0;
  std::uint64_t sleeps = 0;    // times a scheduler went to sleep
  std::uint64_t wakes = 0;     // times a scheduler woke another
  std::uint64_t sink_failures = 0; // exceptions thrown by the report sink
  std::size_t ready = 0;       // actors in ready queues, about
  std::size_t armed_timers = 0;
  std::size_t stacks_in_use = 0;
  std::size_t stacks_kept = 0; // warm ones without an actor
  std::size_t stacks_spare = 0; // the same, of other than the default shape
  io_stats io;
  blocking_stats blocking;     // the pool for smarm::blocking; all zero if it was never used
};
//]

} // namespace smarm

#endif
