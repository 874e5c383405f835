// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the tutorial's programs share from the second step on: a protocol of lines, and somebody who
// speaks it.

#ifndef TUTORIAL_LINES_HPP
#define TUTORIAL_LINES_HPP

#include <smarm/asio.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include <chrono>
#include <initializer_list>
#include <iostream>
#include <string>

namespace lines {

namespace asio = boost::asio;
using asio::ip::tcp;

//[tutorial_serve
// Serves one client: a line of answer for each of its lines, until it goes, sends nothing for five
// minutes, or sends a line that is too long.
template <class Answer>
void serve(tcp::socket& client, Answer answer) {
  std::string come; // and not answered yet
  for (;;) {
    const auto size =
        asio::async_read_until(client, asio::dynamic_buffer(come, 64 * 1024), '\n',
                               smarm::try_await.within(std::chrono::minutes(5)));
    if (!size) {
      return;
    }
    std::string reply = answer(come.substr(0, *size - 1));
    reply += '\n';
    come.erase(0, *size);
    if (!asio::async_write(client, asio::buffer(reply), smarm::try_await)) {
      return;
    }
  }
}
//]

// A client: sends each line, and prints it with its answer.
inline void talk(const tcp::endpoint& where, std::initializer_list<std::string> requests) {
  tcp::socket server(smarm::this_actor::get_executor());
  server.async_connect(where, smarm::await);
  std::string come;
  for (const std::string& request : requests) {
    asio::async_write(server, asio::buffer(request + '\n'), smarm::await);
    const auto size =
        asio::async_read_until(server, asio::dynamic_buffer(come), '\n', smarm::await);
    std::cout << request << " -> " << come.substr(0, size) << std::flush;
    come.erase(0, size);
  }
}

} // namespace lines

#endif
