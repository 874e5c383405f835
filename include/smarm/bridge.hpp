// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What is no actor under a supervisor: a thread, a library with threads of its own, a main loop. It is
// started and ended with its siblings, and started anew when it has failed.
//
//     {.id = "poller", .start = smarm::thread_child([](std::stop_token stop) { poll_until(stop); })}
//     {.id = "player", .start = smarm::bridge<player>(device)}
//
// A class for bridge<B> has
//     void start(bridge_end) or void start()    starts it; if it throws nothing runs, and the start failed
//     void stop()                               asks it to end, and does not wait
// With a bridge_end the object says when it has ended, by itself or since it was asked to; until then it
// is not destroyed. With start() alone it never ends by itself, and has ended when stop() returns.
//
// All of B is called in an actor, on a scheduler's thread, so none of it may block. If the object does
// not end in time it is abandoned like any child: that is reported, and the object stays, with what it
// uses, until it does end. Nothing kills a thread.

#ifndef SMARM_BRIDGE_HPP
#define SMARM_BRIDGE_HPP

#include <smarm/bridge_end.hpp>
#include <smarm/child_start.hpp>
#include <smarm/detail/bridge_server.hpp>

#include <concepts>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace smarm {

// A B, made anew of copies of the arguments for each start; options for its actor may come first. Throws
// std::bad_alloc and what copying the arguments throws.
template <class B, class... Arguments>
[[nodiscard]] child_start bridge(Arguments&&... arguments) {
  static_assert(detail::starts_with_end<B> || detail::starts_alone<B>,
                "smarm: what is bridged needs a public member void start(smarm::bridge_end), or void "
                "start()");
  static_assert(detail::can_be_stopped<B>,
                "smarm: what is bridged needs a public member void stop()");
  return server<detail::bridge_server<B>>(std::forward<Arguments>(arguments)...);
}

// A thread that calls a copy of f. The token says when it should return; what it throws is its failure.
// When it has returned the thread is joined by a scheduler, which for so long does nothing else: leave
// nothing to destructors of thread-local objects that takes time.
template <class F>
  requires std::copy_constructible<std::decay_t<F>> &&
           std::invocable<std::decay_t<F>&, std::stop_token>
[[nodiscard]] child_start thread_child(F&& f) {
  return bridge<detail::thread_bridge<std::decay_t<F>>>(std::forward<F>(f));
}

} // namespace smarm

#endif
