// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a recording consists of, and how its records are read.

#ifndef SMARM_LIB_TRACE_RECORDING_HPP
#define SMARM_LIB_TRACE_RECORDING_HPP

#include <smarm/detail/slot.hpp>
#include <smarm/detail/trace.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace smarm::detail {

// One actor of the process: pids of two runtimes may be the same, slots are not, nor do they go away.
struct traced_actor {
  const slot* where = nullptr;
  std::uint32_t generation = 0;

  auto operator<=>(const traced_actor&) const = default;
  [[nodiscard]] bool any() const noexcept { return where != nullptr; }
  [[nodiscard]] pid id() const noexcept { return any() ? pid(where->index, generation) : pid(); }
};

// A record as words and back.
struct trace_record {
  std::int64_t at = 0; // nanoseconds of the monotonic clock
  event_kind what = event_kind::spawn;
  std::uint8_t detail = 0; // of a park the wait_kind, of an end the exit_kind
  int thread = 0;          // the number of a thread that is no scheduler
  traced_actor actor = {};
  traced_actor other = {};
  std::uint64_t message = 0;  // or the count
  const char* text = nullptr; // a mangled type; of a restart the child's name, which the recording has
  std::uint64_t renamed = 0;  // what names the message from here on

  [[nodiscard]] trace_ring::record words() const noexcept;
  [[nodiscard]] static trace_record from(const trace_ring::record& words) noexcept;
};

// Who recorded: a scheduler, or all other threads.
struct trace_source {
  static constexpr unsigned outside = ~0U;

  std::shared_ptr<trace_ring> ring;
  unsigned runtime = 0; // by the order in which they first recorded
  unsigned scheduler = outside;
};

using actor_labels = std::map<traced_actor, std::string>;

// All of it under the lock, under which nobody takes another.
struct trace_recording {
  std::mutex lock;
  std::uint32_t last_session = 0;
  std::size_t capacity = 0;
  std::vector<trace_source> sources; // the first is that of all other threads
  std::vector<std::uint64_t> runtimes; // their numbers in the process
  actor_labels labels;
  std::set<std::string> texts; // which records point to: kept for ever
};

[[nodiscard]] trace_recording& the_recording();

// What is read out of it.
struct traced {
  struct entry {
    trace_record record;
    unsigned source;
    std::size_t order; // as they were read: in order for each source
    std::string text; // readable
  };
  std::vector<trace_source> sources; // without their rings
  std::vector<entry> entries;        // by time
  std::vector<std::uint64_t> lost;   // of each source
  actor_labels labels;
};
// Throws std::bad_alloc.
[[nodiscard]] traced read_recording();

} // namespace smarm::detail

#endif
