// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How a partition gets on with its log, and all of them together: INFO tells it.

#ifndef KV_DISK_STATUS_HPP
#define KV_DISK_STATUS_HPP

#include <cstdint>

namespace kv {

struct disk_status {
  bool writes = true;        // else changes are refused, since the last one could not be kept
  bool last_snapshot = true; // was made; or there was none
  bool makes_snapshot = false;
  std::uint64_t changes = 0; // since the last snapshot, or since it was started
  std::uint64_t log_bytes = 0, snapshot_bytes = 0;

  disk_status& operator+=(const disk_status& other) noexcept {
    writes = writes && other.writes;
    last_snapshot = last_snapshot && other.last_snapshot;
    makes_snapshot = makes_snapshot || other.makes_snapshot;
    changes += other.changes;
    log_bytes += other.log_bytes;
    snapshot_bytes += other.snapshot_bytes;
    return *this;
  }
};

} // namespace kv

#endif
