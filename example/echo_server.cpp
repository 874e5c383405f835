// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A TCP server that sends back what it receives, an actor for each connection, and a client of it.
//
// prints: ^hello$
// prints: ^the server has ended: shutdown$

//[echo_server_program
#include <smarm.hpp>
#include <smarm/asio.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <chrono>
#include <iostream>
#include <string>
#include <utility>

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;

//[echo_server_session
void session(tcp::socket socket) {
  std::array<char, 1024> room;
  for (;;) {
    const auto got = socket.async_read_some(asio::buffer(room), smarm::try_await.within(30s));
    if (!got || !asio::async_write(socket, asio::buffer(room, *got), smarm::try_await)) {
      return; // the client is gone, or has been silent for too long
    }
  }
}
//]

//[echo_server_serve
void serve(tcp::acceptor& acceptor) {
  for (;;) {
    auto socket = acceptor.async_accept(smarm::try_await);
    if (!socket) { // as when the process has no descriptors left: they come back
      smarm::this_actor::sleep_for(10ms);
      continue;
    }
    smarm::spawn([socket = *std::move(socket)]() mutable { session(std::move(socket)); }).detach();
  }
}
//]

std::string ask(const tcp::endpoint& where, std::string text) {
  tcp::socket socket(smarm::this_actor::get_executor());
  socket.async_connect(where, smarm::await);
  asio::async_write(socket, asio::buffer(text), smarm::await);
  asio::async_read(socket, asio::buffer(text), smarm::await);
  return text;
}

int main() {
  smarm::run([] {
    tcp::acceptor acceptor(smarm::this_actor::get_executor(), {asio::ip::address_v4::loopback(), 0});
    auto server = smarm::spawn([&] { serve(acceptor); });

    std::cout << ask(acceptor.local_endpoint(), "hello") << '\n';

    smarm::request_shutdown(server.id());
    std::cout << "the server has ended: " << server.join() << '\n';
  });
}
//]
