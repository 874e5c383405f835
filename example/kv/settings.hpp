// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the store is told when it is started.

#ifndef KV_SETTINGS_HPP
#define KV_SETTINGS_HPP

#include "disk_step.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace kv {

// When what was written is on the disk, so that it outlives the machine's crash. That of the process it
// outlives in any case: nothing is acknowledged before it was written.
enum class fsync_policy : unsigned char {
  always,   // before it is acknowledged
  everysec, // a second later
  no,       // when the system likes
};

// How many bytes may wait for a subscriber that does not read them, before it is closed: as Redis's
// client-output-buffer-limit pubsub.
struct output_limit {
  std::size_t hard = std::size_t{32} << 20;
  std::size_t soft = std::size_t{8} << 20; // if they are as many all the time,
  std::chrono::seconds soft_time = std::chrono::seconds(60);
};

struct settings {
  std::uint16_t port = 6379; // 0: one that is free
  std::string directory;     // empty: nothing is kept
  std::size_t partitions = 1;
  fsync_policy fsync = fsync_policy::everysec;
  // A partition's log is replaced by a snapshot when it has so many bytes, and so many percent of those of
  // the last snapshot. 0 percent: only when that is asked for.
  std::uint64_t rewrite_least_bytes = std::uint64_t{64} << 20;
  unsigned rewrite_percentage = 100;
  std::size_t most_connections = 10'000;
  // How long a client may leave its replies unread before it is closed.
  std::chrono::nanoseconds write_limit = std::chrono::minutes(1);
  output_limit subscriber_output = {};

  // Is told what happened, a line at a time, by several actors. Empty: nobody is.
  std::function<void(std::string_view)> log = {};
  std::function<void(std::uint16_t port)> on_listening = {};
  // For tests.
  disk_hook in_place_of = {};
};

} // namespace kv

#endif
