// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Input and output: connections over the loopback device, both of whose ends are actors of one
// process, and what an awaited operation costs beside the operation itself.

#include "in_runtime.hpp"

#include <smarm/await.hpp>
#include <smarm/blocking.hpp>
#include <smarm/spawn.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace asio = boost::asio;
using socket_type = asio::basic_stream_socket<asio::ip::tcp, smarm::executor>;

constexpr std::size_t size = 64;

struct connection {
  socket_type client;
  socket_type server;
};

std::vector<connection> connections(std::uint64_t count) {
  const auto ex = smarm::this_actor::get_executor();
  asio::ip::tcp::acceptor acceptor(ex, {asio::ip::address_v4::loopback(), 0});
  std::vector<connection> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    connection c{socket_type(ex), socket_type(ex)};
    c.client.connect(acceptor.local_endpoint());
    acceptor.accept(c.server);
    c.client.set_option(asio::ip::tcp::no_delay(true));
    c.server.set_option(asio::ip::tcp::no_delay(true));
    all.push_back(std::move(c));
  }
  return all;
}

void serve(socket_type& socket) {
  std::vector<char> room(size);
  for (;;) {
    const auto got = socket.async_read_some(asio::buffer(room), smarm::try_await);
    if (!got || !asio::async_write(socket, asio::buffer(room, *got), smarm::try_await)) {
      return;
    }
  }
}

void ask(socket_type& socket, std::uint64_t times) {
  std::vector<char> room(size, 'x');
  for (std::uint64_t i = 0; i < times; ++i) {
    asio::async_write(socket, asio::buffer(room), smarm::await);
    asio::async_read(socket, asio::buffer(room), smarm::await);
  }
  socket.shutdown(socket_type::shutdown_both);
}

void tcp_echo(std::uint64_t clients, std::uint64_t times) {
  auto all = connections(clients);
  std::vector<smarm::join_handle> actors;
  for (connection& c : all) {
    actors.push_back(smarm::spawn([&c] { serve(c.server); }));
    actors.push_back(smarm::spawn([&c, times] { ask(c.client, times); }));
  }
  for (auto& h : actors) {
    (void)h.join();
  }
}

// A handler that is posted and awaited: all that is not the system's.
void await_post(std::uint64_t times) {
  const auto ex = smarm::this_actor::get_executor();
  for (std::uint64_t i = 0; i < times; ++i) {
    asio::post(ex, smarm::await);
  }
}

// A function that does nothing, on a thread for blocking calls, by so many actors that do so in turns.
void blocking_roundtrip(std::uint64_t actors, std::uint64_t times) {
  std::vector<smarm::join_handle> all;
  for (std::uint64_t i = 0; i < actors; ++i) {
    all.push_back(smarm::spawn([times] {
      for (std::uint64_t n = 0; n < times; ++n) {
        smarm::blocking([] {});
      }
    }));
  }
  for (auto& h : all) {
    (void)h.join();
  }
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start_with_threads(argc, argv);
  const std::uint64_t clients = smarm_bench::quick() ? 4 : 64;
  const std::uint64_t times = smarm_bench::scaled(2000);
  smarm_bench::measure("tcp_echo", "clients=" + std::to_string(clients) + ";size=64",
                       static_cast<double>(clients * times), [&] { tcp_echo(clients, times); });
  smarm_bench::measure("tcp_echo", "clients=1;size=64", static_cast<double>(times),
                       [&] { tcp_echo(1, times); });
  const std::uint64_t posts = smarm_bench::scaled(1'000'000);
  smarm_bench::measure("await_post", "", static_cast<double>(posts), [&] { await_post(posts); });
  const std::uint64_t calls = smarm_bench::scaled(20'000);
  for (const std::uint64_t actors : {1, 16}) {
    smarm_bench::measure("blocking_roundtrip", "actors=" + std::to_string(actors),
                         static_cast<double>(calls), [&] { blocking_roundtrip(actors, calls / actors); });
  }
  return 0;
}
