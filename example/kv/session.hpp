// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What is known of a client, and what it has said of itself.

#ifndef KV_SESSION_HPP
#define KV_SESSION_HPP

#include "resp_writer.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace kv {

struct session {
  std::uint64_t id = 0;
  std::string address, own_address, name;
  protocol form = protocol::resp2;
  std::size_t channels = 0, patterns = 0; // that it has subscribed to
  long queued = -1;                       // commands; none: it has begun no transaction
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

} // namespace kv

#endif
