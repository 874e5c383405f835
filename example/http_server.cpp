// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An HTTP/1.1 server on Boost.Beast: connections that are kept, deadlines, and an end in good order.
//
//     http_server --port 8080      until Ctrl-C or SIGTERM; port 0: one that is free
//     http_server                  asks itself something, and ends
//
//     GET, HEAD /          a greeting
//     GET, HEAD /bytes/N   so many bytes
//     POST /echo           what was sent
//
// prints: ^listens on 127.0.0.1:[0-9]+$
// prints: ^200 hello from smarm$
// prints: ^200 what was sent$
// prints: ^404 there is nothing here$
// prints: ^the server has ended: shutdown$

//[http_server_program
#include <smarm.hpp>
#include <smarm/asio.hpp>

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using namespace std::chrono_literals;

using request = http::request<http::string_body>;
using response = http::response<http::string_body>;

// The number that the text is, if it is one.
template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

response make(const request& asked, http::status status, std::string body) {
  response answer(status, asked.version());
  answer.set(http::field::server, "smarm");
  answer.set(http::field::content_type, "text/plain");
  answer.body() = std::move(body);
  answer.prepare_payload();
  if (asked.method() == http::verb::head) {
    answer.body().clear(); // its length stays
  }
  return answer;
}

//[http_server_answer
response answer_to(request& asked) {
  constexpr std::string_view bytes = "/bytes/";
  constexpr std::size_t most = 100'000'000;
  const std::string_view target(asked.target().data(), asked.target().size());
  const bool reads = asked.method() == http::verb::get || asked.method() == http::verb::head;
  if (reads && target == "/") {
    return make(asked, http::status::ok, "hello from smarm");
  }
  if (reads && target.starts_with(bytes)) {
    const auto count = number<std::size_t>(target.substr(bytes.size()));
    return count && *count <= most
               ? make(asked, http::status::ok, std::string(*count, 'x'))
               : make(asked, http::status::bad_request, "how many?");
  }
  if (asked.method() == http::verb::post && target == "/echo") {
    return make(asked, http::status::ok, std::move(asked.body()));
  }
  return make(asked, http::status::not_found, "there is nothing here");
}
//]

//[http_server_session
void session(tcp::socket socket) {
  socket.set_option(tcp::no_delay(true));
  beast::flat_buffer room;
  for (bool kept = true; kept;) {
    http::request_parser<http::string_body> parser;
    parser.body_limit(16 << 20);
    // A client may think for a minute. Whoever asks the server to end meanwhile ends this.
    if (!http::async_read_header(socket, room, parser, smarm::try_await.within(60s))) {
      return;
    }
    // What was asked for is answered, also while the server ends.
    const smarm::disable_stop until_it_is_answered;
    if (beast::iequals(parser.get()[http::field::expect], "100-continue")) {
      http::response<http::empty_body> go_on(http::status::continue_, parser.get().version());
      (void)http::async_write(socket, go_on, smarm::try_await.within(10s));
    }
    if (!http::async_read(socket, room, parser, smarm::try_await.within(30s))) {
      return;
    }
    request asked = parser.release();
    response answer = answer_to(asked);
    kept = asked.keep_alive() && !smarm::this_actor::stop_requested();
    answer.keep_alive(kept);
    if (!http::async_write(socket, answer, smarm::try_await.within(30s))) {
      return;
    }
  }
}
//]

void wait_for_signal() {
  auto [told, signals] = smarm::channel<int>();
  const smarm::signal_watch watch({SIGTERM, SIGINT},
                                  [&](int signal, unsigned) { (void)told.send(signal); });
  (void)signals.recv();
}

// Asks three things over one connection.
void demonstrate(const tcp::endpoint& where) {
  tcp::socket socket(smarm::this_actor::get_executor());
  socket.async_connect(where, smarm::await);
  beast::flat_buffer room;
  const auto ask = [&](http::verb method, std::string_view target, std::string body) {
    request what(method, target, 11);
    what.body() = std::move(body);
    what.prepare_payload();
    http::async_write(socket, what, smarm::await);
    response answer;
    http::async_read(socket, room, answer, smarm::await);
    std::cout << answer.result_int() << ' ' << answer.body() << '\n';
  };
  ask(http::verb::get, "/", "");
  ask(http::verb::post, "/echo", "what was sent");
  ask(http::verb::get, "/nothing", "");
}

int main(int argc, char** argv) {
  const bool by_hand = argc == 3 && std::string_view(argv[1]) == "--port";
  const auto port = by_hand ? number<std::uint16_t>(argv[2]) : 0;
  if (!port) {
    std::cerr << "usage: http_server [--port NUMBER]\n";
    return 2;
  }
  smarm::run([&] {
    tcp::acceptor acceptor(smarm::this_actor::get_executor(),
                           {asio::ip::address_v4::loopback(), *port});
    auto server = smarm::spawn([&] { smarm::accept_each(acceptor, session, {.limit = 10'000}); });
    std::cout << "listens on " << acceptor.local_endpoint() << std::endl;
    if (by_hand) {
      wait_for_signal();
    } else {
      demonstrate(acceptor.local_endpoint());
    }
    smarm::request_shutdown(server.id());
    std::cout << "the server has ended: " << server.join() << '\n';
  });
}
//]
