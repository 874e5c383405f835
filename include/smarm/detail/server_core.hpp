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
#include <smarm/exit_reason.hpp>
#include <smarm/pid.hpp>

#include <boost/system/result.hpp>

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
  // It is always the server that is registered, so the ticket will do.
  using inbox_type =
      basic_inbox<request_node, wait_ticket, std_atomics, alignof(void*), inbox_stub::first>;

  // ---- refs, any thread

  // False: the server is gone or about to go, and the node is the caller's.
  [[nodiscard]] SMARM_HOT_INLINE bool push(request_node& node) noexcept {
    // A message may hold the very ref that it is sent through: once it is queued this may be gone.
    slot* const server = where;
    wait_ticket ticket = 0;
    switch (inbox.push(node, ticket)) {
    case push_result::pushed: return true;
    case push_result::pushed_and_wake: wake({server, ticket}); return true;
    default: return false;
    }
  }
  [[nodiscard]] pid id() const noexcept { return {where->index, generation}; }
  // Whether that actor is the server.
  [[nodiscard]] bool is(const slot& actor) const noexcept {
    return &actor == where && actor.word.snapshot().generation == generation;
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
  // The server's slot, and which of its tenants it is. Set before anybody else knows the server.
  slot* where = nullptr;
  // Requests whose deadline had passed when their turn came. Written by the server, read by anybody.
  std::atomic<std::uint64_t> expired{0};
  basic_channel_counts<std_atomics, std::uint32_t> counts;
  std::uint32_t generation = 0;
};

// There may be millions that do nothing: with the class's own data this is what an idle one takes
// besides its slot.
static_assert(sizeof(void*) != 8 || sizeof(server_core) == 56);

// See server_ref::shutdown.
[[nodiscard]] boost::system::result<void> shut_server_down(const server_core& server, exit_kind how,
                                                           std::int64_t deadline);

template <class S>
struct typed_server_core final : server_core {
  typed_server_core() noexcept {}
  ~typed_server_core() {}

  void add_ref() noexcept { counts.add_sender(); }
  void drop_ref() noexcept {
    if (counts.drop_sender()) {
      wait_ticket ticket = 0;
      if (inbox.close_by_sender(ticket)) {
        wake({where, ticket});
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
