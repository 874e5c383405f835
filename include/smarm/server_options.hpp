// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a single server can be given when it is started: what any actor can, and a limit for its inbox.
//
//     auto s = smarm::start_server<logger>({.actor = {.label = "log"},
//                                           .inbox = {1000, smarm::overflow::drop_oldest}}, path);

#ifndef SMARM_SERVER_OPTIONS_HPP
#define SMARM_SERVER_OPTIONS_HPP

#include <smarm/bounded.hpp>
#include <smarm/spawn_options.hpp>

#include <cstddef>

namespace smarm {

//[server_options_outline
struct server_options {
  spawn_options actor = {};

  // How many calls and casts may wait, and what happens to one more; see overflow. With block its
  // sender waits, be it a call or a cast. A call that is dropped is answered errc::dropped. What the
  // runtime tells the server never counts: downs, timers, infos, replies, system requests. A capacity
  // of 0 is no limit.
  bounded inbox = {};
};
//]

namespace detail {
template <>
inline constexpr bool is_options<server_options> = true;

// Either kind of options, or none.
struct start_options {
  start_options(std::nullptr_t) noexcept {}                        // NOLINT
  start_options(const spawn_options* how) noexcept : actor(how) {} // NOLINT
  start_options(const server_options* how) noexcept
      : actor(&how->actor), // NOLINT
        inbox(how->inbox.capacity != 0 ? &how->inbox : nullptr) {}

  const spawn_options* actor = nullptr;
  const bounded* inbox = nullptr; // null: no limit
};
} // namespace detail

} // namespace smarm

#endif
