// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Actors that stand and fall together. A link goes both ways; when one of the two ends abnormally, by
// an exception or a stop, the other one is stopped, and with it whoever is linked to that one. A normal
// end and a shutdown take nobody along.
//
//     smarm::link(partner);
//
// An actor that wants to survive, and to know, traps exits: it receives a message instead.
//
//     auto exits = smarm::trap_exit();
//     auto child = smarm::spawn_link([] { ... });
//     smarm::exit_signal gone = exits.recv().value();

#ifndef SMARM_LINK_HPP
#define SMARM_LINK_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/new_link.hpp>
#include <smarm/detail/watched_spawn.hpp>
#include <smarm/exit_signal.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/pid.hpp>
#include <smarm/spawn_options.hpp>

#include <boost/system/result.hpp>

#include <utility>

namespace smarm {

// All of these act on the calling actor, also inside run_on_thread_stack, and throw
// boost::system::system_error with errc::not_in_actor elsewhere. None suspends or is a stop point.

// Links the caller with an actor of its runtime. There is at most one link between two actors, and
// none with oneself. If the other one has ended, or never was, the signal comes at once, with
// exit_kind::no_process: a message if the caller traps exits, else a stop that is raised at its next
// stop point. Throws std::bad_alloc. Logarithmic in the number of links.
void link(pid other);

// Takes the link away, whoever made it. Afterwards no signal of it arrives; what had arrived, a message
// or a stop, stays. Logarithmic likewise.
void unlink(pid other);

// From now on, signals of linked actors and requests to shut down reach the caller as messages; a
// request_stop stops it as before. A linked actor's normal end sends nothing, its shutdown sends a
// message. Called again it begins a new channel, and the old one is closed. When the receiver is
// destroyed the caller no longer traps. Throws std::bad_alloc.
[[nodiscard]] receiver<exit_signal> trap_exit();

// Spawns and links in one step: the signal comes even from an actor that ends at once, or whose body
// throws before it has begun. As spawn otherwise.
template <class Body>
join_handle spawn_link(const spawn_options& options, Body&& body) {
  detail::new_link made;
  return detail::watched_spawn(&options, std::forward<Body>(body), made);
}
template <class Body>
join_handle spawn_link(Body&& body) {
  detail::new_link made;
  return detail::watched_spawn(nullptr, std::forward<Body>(body), made);
}

// The same with the errors of try_spawn; nothing is linked then.
template <class Body>
[[nodiscard]] boost::system::result<join_handle> try_spawn_link(const spawn_options& options,
                                                                Body&& body) {
  detail::new_link made;
  return detail::try_watched_spawn(&options, std::forward<Body>(body), made);
}
template <class Body>
[[nodiscard]] boost::system::result<join_handle> try_spawn_link(Body&& body) {
  detail::new_link made;
  return detail::try_watched_spawn(nullptr, std::forward<Body>(body), made);
}

} // namespace smarm

#endif
