// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A program with a page that shows what it is doing. Without arguments it looks at its own figures once
// and ends; with a port it stays until it is interrupted, and the page is at http://127.0.0.1:PORT/.
//
// prints: ^the page is at http://127[.]0[.]0[.]1:[0-9]+/$
// prints: ^HTTP/1[.]0 200 OK
// prints: ^smarm_schedulers 2$
// prints: ^smarm_actor_inbox_messages[{]name="prices"[}] 0$

#include <smarm.hpp>
#include <smarm/asio.hpp>
//[observer_http_include
#include <smarm/observer_http.hpp>
//]

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

using namespace std::chrono_literals;
namespace asio = boost::asio;

class prices : public smarm::gen_server<prices> {};
inline constexpr smarm::server_name<prices> the_prices{"prices"};

void look_once(std::uint16_t port) {
  asio::ip::tcp::socket s(smarm::this_actor::get_executor());
  s.async_connect({asio::ip::make_address("127.0.0.1"), port}, smarm::await);
  asio::async_write(s, asio::buffer(std::string("GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n")),
                    smarm::await);
  std::string answer;
  boost::system::error_code end;
  asio::async_read(s, asio::dynamic_buffer(answer), asio::redirect_error(smarm::await, end));
  std::cout << answer;
}

int main(int argc, char** argv) {
  const bool stays = argc > 1;
  smarm::runtime rt({.schedulers = 2});
  //[observer_http_use
  const auto port = static_cast<std::uint16_t>(stays ? std::atoi(argv[1]) : 0);
  const smarm::observer_http page(rt.handle(), {.port = port});
  std::cout << "the page is at " << page.url() << std::endl;
  //]
  rt.run([&] {
    auto sup = smarm::start_supervisor(
                   {.intensity = 1000, .period = 1h},
                   {{.id = "prices", .start = smarm::server(the_prices)},
                    {.id = "fragile", .start = [] {
                       smarm::this_actor::sleep_for(5s);
                       throw std::runtime_error("as every five seconds");
                     }}})
                   .value();
    if (stays) {
      smarm::this_actor::sleep_for(24h);
    } else {
      look_once(page.port());
    }
    (void)sup.shutdown(5s);
  });
}
