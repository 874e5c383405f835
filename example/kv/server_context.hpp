// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What all connections share.

#ifndef KV_SERVER_CONTEXT_HPP
#define KV_SERVER_CONTEXT_HPP

#include "pubsub.hpp"
#include "round.hpp"
#include "settings.hpp"
#include "status.hpp"

#include <cstdint>
#include <memory>

namespace kv {

struct server_context {
  settings how;
  partitions stores;
  std::shared_ptr<server_status> status;
  std::uint16_t port = 0; // that it got
  pattern_version patterns = {};
};

} // namespace kv

#endif
