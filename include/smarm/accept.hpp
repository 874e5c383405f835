// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The loop at the front of a server: accepts connections, and gives each an actor of its own.
//
//     tcp::acceptor acceptor(smarm::this_actor::get_executor(), {tcp::v6(), 8080});
//     smarm::accept_each(acceptor, [](tcp::socket socket) { ... }, {.limit = 10'000});
//
// What goes wrong on ordinary days does not end it. When the process or the system has no descriptors or
// memory left, it waits a little and tries again, from 1 ms to 100 ms later; who comes meanwhile waits in
// the system's queue. Such a time is reported once, as report_kind::accept_failed. A client that was gone
// before it was accepted is nobody's trouble.

#ifndef SMARM_ACCEPT_HPP
#define SMARM_ACCEPT_HPP

#include <smarm/await.hpp>
#include <smarm/detail/accept_loop.hpp>
#include <smarm/detail/accepting.hpp>
#include <smarm/spawn_options.hpp>
#include <smarm/stop.hpp>
#include <smarm/task_group.hpp>

#include <boost/asio/basic_socket_acceptor.hpp>

#include <chrono>
#include <cstddef>
#include <utility>

namespace smarm {

//[accept_options_outline
struct accept_options {
  // Connections at once, from 1. While there are as many, the next ones wait in the system's queue.
  std::size_t limit = task_group::unlimited;

  // How long the connections may go on once no more are accepted, before they are asked to shut down.
  std::chrono::nanoseconds drain{};

  // What their actors are spawned with.
  spawn_options connection = {.label = "connection"};
};
//]

// Accepts connections for as long as the acceptor is open, and calls on_connection(socket) for each in a
// new actor: one function object, called by many of them at a time. The acceptor is open and listens, and
// is nobody else's meanwhile. It and the sockets are closed when another program is started by exec.
//
// To end it, ask the caller to shut down. The acceptor is closed, so that new clients are refused at once;
// the connections go on for as long as `drain` says. Then they are asked to shut down, and end where they
// wait next, but for what they do under disable_stop; the last one's end is waited for. After
// request_stop nobody is given that time, also if it comes while they have it.
//
// Returns, with no connection left, if somebody closed the acceptor or cancelled its wait, which is right
// only while the caller waits for a client. Suspends. A stop point. Throws boost::system::system_error:
// invalid_config for a limit of 0; not_in_actor on a plain thread, would_block_scheduler in scheduler
// context; what the system says if the acceptor can accept nothing, as if it does not listen. An exception
// that leaves on_connection is the end of that actor, reported as such.
template <class Protocol, class Executor, class OnConnection>
void accept_each(boost::asio::basic_socket_acceptor<Protocol, Executor>& acceptor,
                 OnConnection on_connection, const accept_options& options = {}) {
  detail::accept_loop connections(options.limit, options.drain);
  const detail::closes_acceptor closing(acceptor); // before the connections are waited for
  try {
    detail::accept_until_closed(acceptor, on_connection, connections, options.connection);
  } catch (const stop_unwind&) {
    detail::close_acceptor(acceptor);
    connections.drain();
    throw;
  }
  detail::close_acceptor(acceptor);
  connections.drain();
}

} // namespace smarm

#endif
