// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the refs of a server and the server itself share: the inbox, who keeps it open, and the room
// for the server's object. The refs are counted; together they hold one share of the memory, the
// server holds the other.

#ifndef SMARM_DETAIL_SERVER_CORE_HPP
#define SMARM_DETAIL_SERVER_CORE_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/channel_counts.hpp>
#include <smarm/detail/config.hpp>
#include <smarm/detail/inbox.hpp>
#include <smarm/detail/wake.hpp>
#include <smarm/pid.hpp>

#include <atomic>
#include <cstdint>

namespace smarm::detail {

struct server_core;

// A call, a cast: what is queued.
struct request_node : inbox_node<> {
  // Handles the request in the server's own context, and frees the node or passes it on. With null the
  // server is gone: a call is answered so.
  void (*const resolve)(request_node& me, server_core* server);

  explicit request_node(void (*how)(request_node&, server_core*)) noexcept : resolve(how) {}
};

struct server_core {
  using inbox_type = basic_inbox<request_node, registration, std_atomics, alignof(void*)>;

  // ---- refs, any thread

  // False: the server is gone or about to go, and the node is the caller's.
  [[nodiscard]] SMARM_HOT_INLINE bool push(request_node& node) noexcept {
    registration waiter;
    switch (inbox.push(node, waiter)) {
    case push_result::pushed: return true;
    case push_result::pushed_and_wake: wake(waiter); return true;
    default: return false;
    }
  }
  // ---- the server

  // The oldest request, taken out of the queue; there is one.
  [[nodiscard]] SMARM_HOT_INLINE request_node& take() noexcept {
    return inbox.erase_after(inbox.before_front());
  }
  // Nothing is accepted any more, and what was is answered so. A destructor of a request may wait.
  void refuse_all() noexcept {
    inbox.close();
    while (inbox.await_front() != nullptr) {
      request_node& rest = take();
      rest.resolve(rest, nullptr);
    }
  }
  inbox_type inbox;
  basic_channel_counts<> counts;
  // Whether that actor is the server: another runtime may have one of the same pid.
  [[nodiscard]] bool is(const slot& actor) const noexcept {
    return &actor == where && actor.id() == id;
  }

  pid id;                // set before anybody else knows the server
  slot* where = nullptr; // likewise
  // Requests whose deadline had passed when their turn came. Written by the server, read by anybody.
  std::atomic<std::uint64_t> expired{0};
};

template <class S>
struct typed_server_core final : server_core {
  typed_server_core() noexcept {}
  ~typed_server_core() {}

  // By who has a ref.
  void add_ref() noexcept { counts.add_sender(); }
  // By the server itself, which may have outlived all refs.
  void add_own_ref() noexcept { counts.add_sender_again(); }
  void drop_ref() noexcept {
    if (counts.drop_sender()) {
      registration waiter;
      if (inbox.close_by_sender(waiter)) {
        wake(waiter);
      }
      drop_share();
    }
  }
  void drop_share() noexcept {
    if (counts.drop_share()) {
      delete this;
    }
  }

  union {
    S object; // the server's: made and destroyed by its actor
  };
};

} // namespace smarm::detail

#endif
