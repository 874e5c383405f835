// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A TCP server that sends back what it receives, an actor for each connection.
//
//     echo_server --port 7007      until Ctrl-C or SIGTERM; port 0: one that is free
//     echo_server                  asks itself something, and ends
//
// prints: ^listens on 127.0.0.1:[0-9]+$
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
#include <charconv>
#include <chrono>
#include <csignal>
#include <iostream>
#include <string>
#include <string_view>
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

std::string ask(const tcp::endpoint& where, std::string text) {
  tcp::socket socket(smarm::this_actor::get_executor());
  socket.async_connect(where, smarm::await);
  asio::async_write(socket, asio::buffer(text), smarm::await);
  asio::async_read(socket, asio::buffer(text), smarm::await);
  return text;
}

//[echo_server_signal
// A signal, as a message.
void wait_for_signal() {
  auto [told, signals] = smarm::channel<int>();
  const smarm::signal_watch watch({SIGTERM, SIGINT},
                                  [&](int signal, unsigned) { (void)told.send(signal); });
  (void)signals.recv();
}
//]

int main(int argc, char** argv) {
  const bool by_hand = argc == 3 && std::string_view(argv[1]) == "--port";
  unsigned short port = 0;
  if (by_hand) {
    const std::string_view text(argv[2]);
    (void)std::from_chars(text.data(), text.data() + text.size(), port);
  }
  smarm::run([&] {
    //[echo_server_serve
    tcp::acceptor acceptor(smarm::this_actor::get_executor(),
                           {asio::ip::address_v4::loopback(), port});
    auto server = smarm::spawn([&] {
      smarm::accept_each(acceptor, session, {.limit = 10'000, .drain = 2s});
    });
    //]
    const tcp::endpoint where = acceptor.local_endpoint();
    std::cout << "listens on " << where << std::endl;
    if (by_hand) {
      wait_for_signal();
    } else {
      std::cout << ask(where, "hello") << '\n';
    }
    smarm::request_shutdown(server.id()); // accepts no more, and lets the connections end
    std::cout << "the server has ended: " << server.join() << '\n';
  });
}
//]
