// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The part of accept_each that knows the protocol. Asio's own accept leaves sockets open to programs that
// are started by exec, and a flag that is set afterwards comes too late for one that is started just
// then: so the system is called directly, and Asio tells when to.
//
// What Asio does on the spot is not inlined into what waits, for its thread-locals and for errno.

#ifndef SMARM_DETAIL_ACCEPTING_HPP
#define SMARM_DETAIL_ACCEPTING_HPP

#include <smarm/await.hpp>
#include <smarm/detail/accept_loop.hpp>
#include <smarm/error.hpp>
#include <smarm/spawn.hpp>
#include <smarm/spawn_options.hpp>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>

#include <functional>
#include <new>
#include <utility>

namespace smarm::detail {

template <class Acceptor>
SMARM_NOINLINE void close_acceptor(Acceptor& acceptor) noexcept {
  boost::system::error_code ignored;
  acceptor.close(ignored);
}

template <class Acceptor>
class closes_acceptor {
public:
  explicit closes_acceptor(Acceptor& acceptor) noexcept : acceptor_(acceptor) {}
  closes_acceptor(const closes_acceptor&) = delete;
  closes_acceptor& operator=(const closes_acceptor&) = delete;
  ~closes_acceptor() { close_acceptor(acceptor_); }

private:
  Acceptor& acceptor_;
};

template <class Acceptor>
SMARM_NOINLINE typename Acceptor::protocol_type prepare(Acceptor& acceptor) {
  close_on_exec(acceptor.native_handle());
  acceptor.native_non_blocking(true);
  return acceptor.local_endpoint().protocol();
}

// The descriptor becomes the socket's, or is closed.
template <class Socket, class Protocol>
SMARM_NOINLINE boost::system::error_code adopt(Socket& socket, const Protocol& protocol,
                                               int fd) noexcept {
  boost::system::error_code failed;
  try {
    socket.assign(protocol, fd, failed);
  } catch (const std::bad_alloc&) {
    failed = make_error_code(errc::out_of_memory);
  }
  if (failed) {
    close_descriptor(fd);
  }
  return failed;
}

// What the actor of a connection does. The place is given back last.
template <class Socket, class OnConnection>
struct connection_task {
  task_place place;
  Socket socket;
  OnConnection* on_connection;

  void operator()() {
    place.begin();
    (void)std::invoke(*on_connection, std::move(socket));
  }
};

// The same also where there is no memory for a large body, which the caller keeps then.
template <class Task>
boost::system::result<join_handle> spawn_if_room(const spawn_options& how, Task& task) {
  try {
    return try_spawn(how, std::move(task)); // which leaves it as it was if it fails
  } catch (const std::bad_alloc&) {
    return make_error_code(errc::out_of_memory);
  }
}

template <class Socket, class OnConnection>
void start_connection(Socket&& socket, OnConnection& on_connection, accept_loop& connections,
                      const spawn_options& how) {
  task_place place = connections.add();
  task_start begun(place.node());
  connection_task<Socket, OnConnection> task{std::move(place), std::move(socket), &on_connection};
  for (;;) {
    auto started = spawn_if_room(how, task);
    if (started) {
      begun.succeeded(*std::move(started));
      return;
    }
    if (!room_comes_back(started.error())) {
      throw_spawn_error(started.error(), &how);
    }
    connections.back_off(started.error());
  }
}

template <class Protocol, class Executor, class OnConnection>
void accept_until_closed(boost::asio::basic_socket_acceptor<Protocol, Executor>& acceptor,
                         OnConnection& on_connection, accept_loop& connections,
                         const spawn_options& how) {
  using socket_type = typename Protocol::socket::template rebind_executor<Executor>::other;
  const Protocol protocol = prepare(acceptor);
  for (;;) {
    connections.await_place();
    socket_type socket(acceptor.get_executor());
    while (!socket.is_open()) {
      if (!acceptor.is_open()) {
        return;
      }
      int fd = -1;
      switch (connections.accept(acceptor.native_handle(), fd)) {
      case accept_outcome::accepted:
        if (const auto failed = adopt(socket, protocol, fd)) {
          connections.back_off(failed);
        }
        break;
      case accept_outcome::none_waits:
        if (!acceptor.async_wait(boost::asio::socket_base::wait_read, try_await)) {
          return; // closed or cancelled
        }
        break;
      case accept_outcome::again: break;
      }
    }
    start_connection(std::move(socket), on_connection, connections, how);
  }
}

} // namespace smarm::detail

#endif
