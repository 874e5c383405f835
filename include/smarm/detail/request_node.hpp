// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a server's inbox queues, seen without its type: a call, a cast, or a knock.

#ifndef SMARM_DETAIL_REQUEST_NODE_HPP
#define SMARM_DETAIL_REQUEST_NODE_HPP

#include <smarm/detail/inbox.hpp>
#include <smarm/sys_event.hpp>

#include <atomic>
#include <cstdint>
#include <typeinfo>

namespace smarm::detail {

struct server_core;

// What something is that a server handles; for those who look, and for the report of its failure.
struct request_info {
  sys::event_kind kind = sys::event_kind::none;
  bool answered_later = false;
  const std::type_info* type = nullptr;
};

enum class request_step : std::uint8_t {
  handle,  // in the server's own context
  refuse,  // the server is gone: a call is answered so
  drop,    // it makes room, or finds none: a call is answered so
  identify // says what it is, and touches nothing: the node may be gone, or null
};

struct request_node : inbox_node<> {
  // Does that, and but for identify frees the node or passes it on. Says after `handle` what it is if the
  // server keeps it, to be handled again, and else nothing.
  request_info (*const resolve)(request_node* me, server_core* server, request_step what);

  explicit request_node(request_info (*how)(request_node*, server_core*, request_step)) noexcept
      : resolve(how) {}

  // The link where it is a plain pointer under a lock.
  [[nodiscard]] request_node* following() const noexcept {
    return static_cast<request_node*>(next.load(std::memory_order_relaxed));
  }
  void set_following(request_node* node) noexcept { next.store(node, std::memory_order_relaxed); }
};

} // namespace smarm::detail

#endif
