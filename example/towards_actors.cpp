// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A program of callbacks and coroutines, with an io_context and threads of its own, that has its state in
// actors: handlers cast, coroutines call and receive, and nothing blocks a thread.
//
// prints: ^the coroutine heard 2 visits$
// prints: ^the callback heard 2 visits$
// prints: ^the actor said hello$
// prints: ^and ended normally$

//[towards_actors_program
#include <smarm.hpp>
#include <smarm/asio.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <iostream>
#include <string>
#include <utility>

namespace asio = boost::asio;
using namespace std::chrono_literals;

class visits : public smarm::gen_server<visits> {
public:
  struct one {};
  struct count {};
  void handle_cast(one) { ++count_; }
  int handle_call(count) const { return count_; }

private:
  int count_ = 0;
};

//[towards_actors_coroutine
asio::awaitable<void> session(smarm::server_ref<visits> to, smarm::receiver<std::string> news,
                              smarm::join_handle actor) {
  const int n = co_await smarm::async_call(to, visits::count{}, 1s, asio::use_awaitable);
  std::cout << "the coroutine heard " << n << " visits\n";

  // By a callback, which the same io_context calls.
  smarm::async_call(to, visits::count{}, 1s,
                    asio::bind_executor(co_await asio::this_coro::executor,
                                        [](boost::system::error_code ec, int m) {
                                          if (!ec) {
                                            std::cout << "the callback heard " << m << " visits\n";
                                          }
                                        }));
  co_await smarm::async_call(to, visits::count{}, asio::use_awaitable); // after that one

  std::cout << "the actor said " << co_await smarm::async_recv(news, asio::use_awaitable) << '\n';
  const auto how = co_await smarm::async_join(std::move(actor), asio::use_awaitable);
  std::cout << "and ended " << (how == smarm::exit_kind::normal ? "normally" : "badly") << '\n';
}
//]

int main() {
  smarm::runtime rt({.schedulers = 2});
  rt.start();
  auto counter = rt.handle().start_server<visits>().value();
  auto [to, news] = smarm::channel<std::string>();
  auto actor = rt.handle().spawn([to = std::move(to)] { (void)to.send("hello"); });

  asio::io_context context;
  //[towards_actors_handlers
  // What a handler has to tell it casts, or sends: neither waits.
  for (int i = 0; i < 2; ++i) {
    asio::post(context, [counter] { (void)counter.cast(visits::one{}); });
  }
  //]
  asio::co_spawn(context, session(counter, std::move(news), std::move(actor)), asio::detached);
  context.run();

  counter = {};
  return rt.shutdown(5s).empty() ? 0 : 1;
}
//]
