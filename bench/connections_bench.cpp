// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Connections as servers have them: a few that carry much, and many that are silent. An operation of
// tcp_stream is a MiB; one of idle_connections is a connection that is accepted.

#include "held_connections.hpp"
#include "in_runtime.hpp"

#include <smarm/await.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace asio = boost::asio;
using socket_type = asio::basic_stream_socket<asio::ip::tcp, smarm::executor>;
using acceptor_type = asio::basic_socket_acceptor<asio::ip::tcp, smarm::executor>;

constexpr std::uint64_t mebibyte = 1024 * 1024;
constexpr std::size_t chunk = 64 * 1024;

void send_all(socket_type& socket, std::uint64_t bytes) {
  const std::vector<char> room(chunk, 'x');
  for (std::uint64_t sent = 0; sent < bytes; sent += chunk) {
    asio::async_write(socket, asio::buffer(room), smarm::await);
  }
  socket.shutdown(socket_type::shutdown_send);
}

std::uint64_t receive_all(socket_type& socket) {
  std::vector<char> room(chunk);
  std::uint64_t received = 0;
  for (;;) {
    const auto got = socket.async_read_some(asio::buffer(room), smarm::try_await);
    if (!got) {
      return received;
    }
    received += *got;
  }
}

void tcp_stream(std::uint64_t connections, std::uint64_t bytes_each) {
  const auto ex = smarm::this_actor::get_executor();
  acceptor_type acceptor(ex, {asio::ip::address_v4::loopback(), 0});
  std::vector<std::uint64_t> received(connections);
  std::vector<smarm::join_handle> actors;
  for (std::uint64_t& total : received) {
    socket_type from(ex), to(ex);
    from.connect(acceptor.local_endpoint());
    acceptor.accept(to);
    actors.push_back(smarm::spawn(
        [from = std::move(from), bytes_each]() mutable { send_all(from, bytes_each); }));
    actors.push_back(
        smarm::spawn([to = std::move(to), &total]() mutable { total = receive_all(to); }));
  }
  for (auto& h : actors) {
    (void)h.join();
  }
  for (const std::uint64_t total : received) {
    smarm_bench::require(total == bytes_each, "tcp_stream");
  }
}

void stay(socket_type socket) {
  std::array<char, 64> room;
  while (socket.async_read_some(asio::buffer(room), smarm::try_await)) {
  }
}

void idle_connections(std::uint64_t n, int seconds) {
  if (!smarm_bench::selected("idle_connections")) {
    return;
  }
  smarm_bench::raise_descriptor_limit();
  const smarm_bench::held_connections others(n);
  smarm::runtime rt(smarm_bench::runtime_settings());
  rt.run([&] {
    acceptor_type acceptor(smarm::this_actor::get_executor(),
                           {asio::ip::address_v4::loopback(), 0});
    smarm_bench::idle_measure idle;
    idle.begin();
    const auto begin = std::chrono::steady_clock::now();
    others.connect_to(acceptor.local_endpoint().port());
    for (std::uint64_t i = 0; i < n; ++i) {
      smarm::spawn([socket = acceptor.async_accept(smarm::await)]() mutable {
        stay(std::move(socket)); // until the run's end asks it to shut down
      }).detach();
    }
    const double us =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
    smarm::this_actor::sleep_for(std::chrono::milliseconds(100)); // all read by then
    idle.settled();
    smarm::this_actor::sleep_for(std::chrono::seconds(seconds));
    idle.print("smarm", smarm_bench::threads, n, us, seconds);
  });
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start_with_threads(argc, argv);
  idle_connections(smarm_bench::quick() ? 100 : 10'000, smarm_bench::quick() ? 0 : 3);
  const std::uint64_t size = (smarm_bench::quick() ? 1 : 256) * mebibyte;
  smarm_bench::measure("tcp_stream", "connections=4", 4.0 * static_cast<double>(size / mebibyte),
                       [&] { tcp_stream(4, size); });
  return 0;
}
