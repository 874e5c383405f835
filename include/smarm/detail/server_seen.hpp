// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What is kept of what a server handles: it is counted and traced if anybody looks, and named in the
// report of the server's end if the handler fails. Where nobody looks and nothing fails that costs
// nothing but the look whether somebody does.

#ifndef SMARM_DETAIL_SERVER_SEEN_HPP
#define SMARM_DETAIL_SERVER_SEEN_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/server_control.hpp>
#include <smarm/detail/server_core.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace smarm::detail {

struct slot;

// While an exception of the calling server's is handled: what is said of it in the report of its end,
// if that is not a clean one.
void note_failure(const request_info& handled) noexcept;
void note_failure(const char* doing) noexcept;
// The same of its class, its queue and its state, before the object goes.
void note_state(slot& me, const server_core& core, const server_type& type,
                std::size_t queued) noexcept;

// What describe writes, and what it throws; empty if the class has none.
[[nodiscard]] std::string describe_server(const server_core& core, const server_type& type);

// Calls the handler of that. What it returns, if anything, is as of request_node::resolve.
template <class Handler>
void handle_seen(server_core& core, const request_info& what, Handler handler,
                 sys::event_stage as = sys::event_stage::received) {
  if (server_control* const c = core.control.load(std::memory_order_acquire);
      SMARM_UNLIKELY(c != nullptr)) {
    c->received(core.id(), what, as);
  }
  const std::uint64_t expired = core.expired.load(std::memory_order_relaxed);
  bool kept = false;
  try {
    if constexpr (std::is_void_v<decltype(handler())>) {
      handler();
    } else {
      kept = handler().kind != sys::event_kind::none;
    }
  } catch (...) {
    note_failure(what);
    throw;
  }
  if (server_control* const c = core.control.load(std::memory_order_acquire);
      SMARM_UNLIKELY(c != nullptr)) {
    const bool answered = what.kind == sys::event_kind::call && !what.answered_later;
    c->handled(core.id(), what,
               core.expired.load(std::memory_order_relaxed) != expired ? sys::event_stage::expired
               : kept                                                  ? sys::event_stage::postponed
               : answered                                              ? sys::event_stage::replied
                                                                       : sys::event_stage::handled);
  }
}

} // namespace smarm::detail

#endif
