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
#include <smarm/detail/request_node.hpp>
#include <smarm/detail/server_control.hpp>
#include <smarm/detail/trace.hpp>
#include <smarm/detail/wake.hpp>
#include <smarm/error.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/pid.hpp>

#include <boost/system/result.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace smarm::detail {

enum class when_full : std::uint8_t { waits, fails };

struct server_core {
  // It is always the server that is registered, so the ticket will do.
  using inbox_type =
      basic_inbox<request_node, wait_ticket, std_atomics, alignof(void*), inbox_stub::first>;

  server_core() noexcept = default;
  ~server_core();

  // ---- refs, any thread

  void add_ref() noexcept { counts.add_sender(); }
  // By the server itself, which may have outlived all refs.
  void add_own_ref() noexcept { counts.add_sender_again(); }
  // False: it has none any more, and is about to end. For whoever knows by other means that the memory
  // is still there.
  [[nodiscard]] bool try_add_ref() noexcept { return counts.try_add_sender(); }
  void drop_ref() noexcept {
    if (counts.drop_sender()) {
      close_by_refs();
      drop_share();
    }
  }
  void drop_share() noexcept {
    if (counts.drop_share()) {
      destroy(*this);
    }
  }

  // errc{}: the server has the node. Else it is the caller's: server_down; and if the inbox has a limit
  // and is full queue_full, timed_out, would_block_scheduler. With `waits` and a limit that blocks it
  // suspends, is a stop point, and throws the stop.
  [[nodiscard]] SMARM_HOT_INLINE errc push(request_node& node, std::int64_t deadline,
                                           when_full how) {
    if (is_tracing()) {
      trace_request(node, *where, generation);
    }
    const server_control* const c = control.load(std::memory_order_acquire);
    if (SMARM_UNLIKELY(c != nullptr) && c->limit) {
      return push_limited(node, deadline, how);
    }
    return push_unlimited(node) ? errc{} : errc::server_down;
  }
  [[nodiscard]] SMARM_HOT_INLINE bool push_unlimited(request_node& node) noexcept {
    // A message may hold the very ref that it is sent through: once it is queued this may be gone.
    slot* const server = where;
    wait_ticket ticket = 0;
    switch (inbox.push(node, ticket)) {
    case push_result::pushed: return true;
    case push_result::pushed_and_wake: wake({server, ticket}); return true;
    default: return false;
    }
  }

  // The same for what passes the inbox by. The request is answered in any case unless an error says
  // that it is the caller's: server_down, out_of_memory. Neither suspends nor is a stop point.
  [[nodiscard]] errc submit(system_request& request) noexcept;

  // ---- anybody

  [[nodiscard]] pid id() const noexcept { return {where->index, generation}; }
  // Whether that actor is the server.
  [[nodiscard]] bool is(const slot& actor) const noexcept {
    return &actor == where && actor.word.snapshot().generation == generation;
  }
  // Zero if the inbox has no limit.
  [[nodiscard]] overflow_counts overflows() const noexcept;
  // What its inbox holds. From outside under the record lock of its slot, as long as it is found there.
  [[nodiscard]] std::size_t queued() const noexcept;

  // Nothing is accepted any more. The server handles what is queued, if it comes to that, and ends.
  void close() noexcept { close_by_refs(); }

  // ---- the server

  // The oldest request, taken out of the queue; there is one. For an inbox without a limit.
  [[nodiscard]] SMARM_HOT_INLINE request_node& take() noexcept {
    return inbox.erase_after(inbox.before_front());
  }

  void count_expired() noexcept {
    const std::uint32_t before = expired.load(std::memory_order_relaxed);
    expired.store(std::max(before, before + 1), std::memory_order_relaxed);
  }

  // The same for any inbox, where there is a control or might be.

  // Null: nothing can be seen.
  [[nodiscard]] request_node* take_any() noexcept;
  // Something can be taken; or, if settled, is on its way. Or nothing will ever come.
  [[nodiscard]] bool ready() noexcept;
  [[nodiscard]] bool settled() noexcept;
  [[nodiscard]] bool wait(registration me) noexcept;
  bool cancel_wait() noexcept;
  // No ref is left.
  [[nodiscard]] bool abandoned() const noexcept { return inbox.closed(); }
  // The same, and nothing is queued.
  [[nodiscard]] bool finished() noexcept;
  // Nothing is accepted any more, and what was is answered so. Returns how many calls and casts that
  // were. A destructor of a request may wait.
  std::size_t refuse_all() noexcept;

  inbox_type inbox;
  // The server's slot, and which of its tenants it is. Set before anybody else knows the server.
  slot* where = nullptr;
  // Null: none. Set once, by the starter or by who looks first (release), and owned; read by anybody
  // (acquire). Freed with the rest.
  std::atomic<server_control*> control{nullptr};
  basic_channel_counts<std_atomics, std::uint32_t> counts;
  std::uint32_t generation = 0;
  // Requests whose deadline had passed when their turn came; the count ends at its greatest value.
  // Written by the server, read by anybody.
  std::atomic<std::uint32_t> expired{0};

protected:
  [[nodiscard]] static void* allocate(std::size_t size, std::size_t alignment);

private:
  [[nodiscard]] errc push_limited(request_node& node, std::int64_t deadline, when_full how);
  [[nodiscard]] server_control* looked_at() noexcept;
  [[nodiscard]] request_limit* limit() const noexcept {
    server_control* const c = control.load(std::memory_order_acquire);
    return c != nullptr && c->limit ? &*c->limit : nullptr;
  }
  void close_by_refs() noexcept;
  static void destroy(server_core& core) noexcept;
};

// There may be millions that do nothing: with the class's own data this is what an idle one takes
// besides its slot.
static_assert(sizeof(void*) != 8 || sizeof(server_core) == 64);

// See server_ref::shutdown.
[[nodiscard]] boost::system::result<void> shut_server_down(const server_core& server, exit_kind how,
                                                           std::int64_t deadline);

template <class S>
struct typed_server_core final : server_core {
  // With that limit, or without. Throws std::bad_alloc, and system_error(errc::invalid_config) for a
  // limit out of range.
  [[nodiscard]] static typed_server_core& make(const bounded* limit) {
    constexpr std::size_t alignment = alignof(typed_server_core);
    constexpr bool special = alignment > __STDCPP_DEFAULT_NEW_ALIGNMENT__;
    auto control = limit != nullptr ? std::make_unique<server_control>(*limit)
                   : special        ? std::make_unique<server_control>()
                                    : nullptr;
    auto& made = *::new (allocate(sizeof(typed_server_core), alignment)) typed_server_core;
    if constexpr (special) {
      control->alignment = alignment;
    }
    made.control.store(control.release(), std::memory_order_release);
    return made;
  }

  union {
    S object; // the server's: made and destroyed by its actor
  };

private:
  typed_server_core() noexcept {}
  ~typed_server_core() = delete; // what there is to destroy is in server_core
};

} // namespace smarm::detail

#endif
