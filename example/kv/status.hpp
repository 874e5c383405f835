// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What INFO tells, counted by all connections.

#ifndef KV_STATUS_HPP
#define KV_STATUS_HPP

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace kv {

struct server_status {
  // Written by every connection, read by INFO; they order nothing.
  std::atomic<std::uint64_t> commands{0}, connections{0};
  std::atomic<std::int64_t> clients{0};
  const std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
};

} // namespace kv

#endif
