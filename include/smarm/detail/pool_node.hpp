// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A call or a cast on its way through a pool: first to the manager, which puts it into the inbox of an
// idle worker. It carries the lending, which so ends with the handler, whatever becomes of the caller.

#ifndef SMARM_DETAIL_POOL_NODE_HPP
#define SMARM_DETAIL_POOL_NODE_HPP

#include <smarm/detail/lent_worker.hpp>
#include <smarm/detail/pooled.hpp>
#include <smarm/detail/reply_cell.hpp>
#include <smarm/detail/request_node.hpp>
#include <smarm/detail/server_request.hpp>
#include <smarm/error.hpp>
#include <smarm/reply_to.hpp>

#include <atomic>
#include <concepts>
#include <memory>
#include <utility>

namespace smarm::detail {

struct pool_node;

struct pool_operations {
  // Nobody waits for its answer any more.
  bool (*abandoned)(const pool_node&) noexcept;
  // That server is about to have it, or nobody: null.
  void (*lent)(pool_node&, const slot* to) noexcept;
  // Answers it so, if it is a call, and frees it.
  void (*fail)(pool_node&, errc why);
};

struct pool_node : request_node {
  const pool_operations& operations;
  lent_worker busy;

protected:
  pool_node(request_info (*how)(request_node*, server_core*, request_step),
            const pool_operations& what) noexcept
      : request_node(how), operations(what) {}
  ~pool_node() = default;
};

// A call of any worker.
template <class W, class Request>
struct pool_call_node final : gen_server_call_node<pool_call_node<W, Request>, W, Request> {
  using gen_server_call_node<pool_call_node, W, Request>::gen_server_call_node;

  // Which one has it. Written by the manager (relaxed: a slot may be looked at by anybody at any time), read
  // by who holds the caller.
  std::atomic<const slot*> with{nullptr};
};

// Around a cast_node or a pool_call_node, which it owns.
template <class Inner>
struct pool_envelope final : pool_node {
  Inner& inner;

  explicit pool_envelope(Inner& what) noexcept : pool_node(&handle, operations), inner(what) {}

  static void free(pool_envelope& node) noexcept { pooled<pool_envelope>::destroy(node); }

  static request_info handle(request_node* me, server_core* server, request_step what) {
    if (what == request_step::identify) {
      return Inner::handle(nullptr, nullptr, what);
    }
    lent_worker busy;
    Inner& inner = open(*me, busy);
    try {
      return Inner::handle(&inner, server, what);
    } catch (...) {
      busy.forget(); // the worker ends
      throw;
    }
  }

private:
  static constexpr bool is_call = std::derived_from<Inner, reply_cell>;

  static Inner& open(request_node& me, lent_worker& busy) noexcept {
    auto& node = static_cast<pool_envelope&>(me);
    busy = std::move(node.busy);
    Inner& inner = node.inner;
    free(node);
    return inner;
  }
  static bool is_abandoned(const pool_node& me) noexcept {
    if constexpr (is_call) {
      return static_cast<const pool_envelope&>(me).inner.state.abandoned();
    } else {
      return false;
    }
  }
  static void note_lent([[maybe_unused]] pool_node& me,
                        [[maybe_unused]] const slot* to) noexcept {
    if constexpr (is_call) {
      static_cast<pool_envelope&>(me).inner.with.store(to, std::memory_order_relaxed);
    }
  }
  static void fail_with(pool_node& me, errc why) {
    lent_worker none;
    Inner& inner = open(me, none);
    if constexpr (is_call) {
      auto answer = reply_access::make<typename Inner::reply>(inner);
      std::destroy_at(std::addressof(inner.request));
      reply_access::fail(answer, why);
    } else {
      Inner::free(inner);
    }
  }

  static constexpr pool_operations operations{&is_abandoned, &note_lent, &fail_with};
};

} // namespace smarm::detail

#endif
