// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// All actors of a runtime, and its schedulers, at about one moment.

#ifndef SMARM_RUNTIME_SNAPSHOT_HPP
#define SMARM_RUNTIME_SNAPSHOT_HPP

#include <smarm/actor_info.hpp>
#include <smarm/pid.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace smarm {

//[runtime_snapshot_outline
// Of what snapshots and trees consist. Raised when a field is removed or changes its meaning.
inline constexpr std::uint16_t snapshot_format_version = 1;

struct runtime_snapshot {
  std::uint16_t format_version = snapshot_format_version;
  std::chrono::system_clock::time_point taken_at{}; // when it was begun
  std::chrono::steady_clock::time_point taken_at_steady{}; // the same, as actor_info::since
  std::chrono::nanoseconds took{};
  bool budget_accounting = false; // actor_info::budget_cycles is counted
  std::vector<actor_info> actors; // by the index of their pids
};

// One scheduler; what is counted begins at zero with each run.
struct scheduler_info {
  unsigned id = 0;
  bool online = false; // its thread is there
  pid running;         // none if it has nothing to do
  std::size_t ready = 0; // in its own queue; of a queue that all share, in that
  std::size_t armed_timers = 0;
  std::uint64_t switches = 0; // times it gave an actor the processor
  std::uint64_t spawned = 0;
  std::uint64_t ended = 0;
  std::uint64_t overruns = 0;
  std::uint64_t sleeps = 0;
  std::uint64_t spurious = 0; // woken to find nothing
  std::uint64_t wakes = 0;    // siblings woken
  std::uint64_t searches = 0; // times it looked around for work before it slept
  std::uint64_t search_hits = 0;
  std::uint64_t idle_cycles = 0; // of the time-stamp counter, without anything to do
  std::uint64_t read_at = 0;     // that counter when this was read
};
//]

// What part of the time between two readings of one scheduler it had something to do, 0 … 1.
[[nodiscard]] double load_between(const scheduler_info& earlier, const scheduler_info& later) noexcept;

} // namespace smarm

#endif
