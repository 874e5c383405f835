// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The accepting loop: an actor for each connection, so many at once, and what is left when it ends.

#define BOOST_TEST_MODULE accept
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/accept.hpp>
#include <smarm/channel.hpp>
#include <smarm/stop.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;
using error_code = boost::system::error_code;
using smarm::exit_kind;

namespace {

// A server and what its tests ask of it.
struct front {
  tcp::acceptor acceptor{smarm::this_actor::get_executor(), {asio::ip::address_v4::loopback(), 0}};
  tcp::endpoint where = acceptor.local_endpoint();

  template <class Session>
  smarm::join_handle start(Session session, smarm::accept_options options = {}) {
    return waiting([this, session = std::move(session), options]() mutable {
      smarm::accept_each(acceptor, std::move(session), options);
    });
  }
  [[nodiscard]] tcp::socket client() const {
    tcp::socket socket(smarm::this_actor::get_executor());
    socket.async_connect(where, smarm::await);
    return socket;
  }
  [[nodiscard]] error_code refused() const {
    tcp::socket socket(smarm::this_actor::get_executor());
    return socket.async_connect(where, smarm::try_await).error();
  }
};

void echo(tcp::socket socket) {
  std::array<char, 64> room;
  while (const auto got = socket.async_read_some(asio::buffer(room), smarm::try_await)) {
    asio::async_write(socket, asio::buffer(room, *got), smarm::await);
  }
}

std::string ask(tcp::socket& socket, std::string text) {
  asio::async_write(socket, asio::buffer(text), smarm::await);
  text.assign(text.size(), ' ');
  asio::async_read(socket, asio::buffer(text), smarm::await);
  return text;
}

// What a client sees of the server's end.
error_code end_of(tcp::socket& socket) {
  char c = 0;
  return asio::async_read(socket, asio::buffer(&c, 1), smarm::try_await).error();
}

} // namespace

BOOST_AUTO_TEST_SUITE(accept_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(each_connection_has_an_actor_of_its_own) {
  recorder seen;
  basic_recorder<smarm::pid> actors;
  for (const unsigned schedulers : {1u, 2u}) {
    smarm::runtime(quiet(schedulers)).run([&] {
      front server;
      auto h = server.start([&](tcp::socket socket) {
        actors.note(smarm::this_actor::self());
        seen.note(smarm::this_actor::label());
        echo(std::move(socket));
      });
      tcp::socket a = server.client(), b = server.client();
      seen.note(ask(b, "b") + ask(a, "a"));
      smarm::request_shutdown(h.id());
      (void)h.join();
    });
  }
  BOOST_TEST(seen.count("connection") == 4u);
  BOOST_TEST(seen.count("ba") == 2u);
  BOOST_TEST((actors.all()[0] != actors.all()[1]));
}

BOOST_AUTO_TEST_CASE(sockets_and_the_acceptor_are_closed_on_exec) {
  std::atomic<int> accepted{-1}, acceptor{-1};
  smarm::runtime(quiet(1)).run([&] {
    front server;
    auto h = server.start([&](tcp::socket socket) {
      accepted = ::fcntl(socket.native_handle(), F_GETFD);
    });
    acceptor = ::fcntl(server.acceptor.native_handle(), F_GETFD);
    tcp::socket client = server.client();
    (void)end_of(client);
    smarm::request_shutdown(h.id());
    (void)h.join();
  });
  BOOST_TEST(accepted == FD_CLOEXEC);
  BOOST_TEST(acceptor == FD_CLOEXEC);
}

BOOST_AUTO_TEST_CASE(other_protocols_are_accepted_too) {
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("smarm_accept_test." + std::to_string(::getpid())))
                               .string();
  ::unlink(path.c_str());
  std::string got(5, ' ');
  smarm::runtime(quiet(1)).run([&] {
    using protocol = asio::local::stream_protocol;
    protocol::acceptor acceptor(smarm::this_actor::get_executor(), protocol::endpoint(path));
    auto h = waiting([&] {
      smarm::accept_each(acceptor, [](protocol::socket socket) {
        asio::async_write(socket, asio::buffer("local", 5), smarm::await);
      });
    });
    protocol::socket client(smarm::this_actor::get_executor());
    client.async_connect(path, smarm::await);
    asio::async_read(client, asio::buffer(got), smarm::await);
    smarm::request_shutdown(h.id());
    (void)h.join();
  });
  ::unlink(path.c_str());
  BOOST_TEST(got == "local");
}

BOOST_AUTO_TEST_CASE(no_more_than_the_limit_are_accepted) {
  std::atomic<int> now{0}, most{0}, served{0};
  bool third_waits = false;
  smarm::runtime(quiet(2)).run([&] {
    front server;
    auto h = server.start(
        [&](tcp::socket socket) {
          const int mine = ++now;
          int seen = most;
          while (mine > seen && !most.compare_exchange_weak(seen, mine)) {
          }
          echo(std::move(socket));
          --now;
          ++served;
        },
        {.limit = 2});
    tcp::socket a = server.client(), b = server.client();
    (void)(ask(a, "a") + ask(b, "b"));
    tcp::socket c = server.client(); // the system has taken it
    until([&] { return parked(h.id()); });
    third_waits = now == 2;
    a.close();
    (void)ask(c, "c");
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < 20; ++i) {
      all.push_back(smarm::spawn([&] {
        tcp::socket socket = server.client();
        (void)ask(socket, "x");
      }));
    }
    b.close();
    c.close();
    join_all(all);
    until([&] { return served == 23; });
    smarm::request_shutdown(h.id());
    (void)h.join();
  });
  BOOST_TEST(third_waits);
  BOOST_TEST(most == 2);
}

BOOST_AUTO_TEST_CASE(a_limit_of_nothing_and_a_caller_that_is_no_actor_are_refused) {
  error_code none, thread;
  smarm::runtime rt(quiet(1));
  tcp::acceptor outside(smarm::get_executor(rt), {asio::ip::address_v4::loopback(), 0});
  thread = refusal([&] { smarm::accept_each(outside, [](tcp::socket) {}); });
  rt.run([&] {
    front server;
    none = refusal([&] { smarm::accept_each(server.acceptor, [](tcp::socket) {}, {.limit = 0}); });
  });
  BOOST_TEST((thread == smarm::errc::not_in_actor));
  BOOST_TEST((none == smarm::errc::invalid_config));
}

BOOST_AUTO_TEST_CASE(an_acceptor_that_does_not_listen_is_an_error) {
  error_code why;
  smarm::runtime(quiet(1)).run([&] {
    tcp::acceptor acceptor(smarm::this_actor::get_executor(), tcp::v4());
    why = refusal([&] { smarm::accept_each(acceptor, [](tcp::socket) {}); });
  });
  BOOST_TEST((why == boost::system::errc::invalid_argument));
}

BOOST_AUTO_TEST_CASE(a_connection_that_throws_ends_alone_and_is_reported) {
  recorder reports;
  std::string after;
  smarm::runtime rt({.schedulers = 1, .reports = [&](const smarm::report& r) {
                       reports.note(r.label + ": " + r.text);
                     }});
  rt.run([&] {
    front server;
    auto h = server.start([&, first = true](tcp::socket socket) mutable {
      if (std::exchange(first, false)) {
        throw std::runtime_error("oops");
      }
      echo(std::move(socket));
    });
    tcp::socket a = server.client();
    (void)end_of(a);
    tcp::socket b = server.client();
    after = ask(b, "b");
    b.close();
    smarm::request_shutdown(h.id());
    (void)h.join();
  });
  BOOST_TEST(after == "b");
  CHECK_LIST(reports.all(), {"connection: failed: std::runtime_error: oops"});
}

BOOST_AUTO_TEST_CASE(a_shutdown_refuses_clients_and_ends_the_connections) {
  recorder seen;
  error_code refused, ended;
  exit_kind how{};
  smarm::runtime(quiet(2)).run([&] {
    front server;
    auto h = server.start([&](tcp::socket socket) {
      const noted_end end(seen, "session ends");
      echo(std::move(socket));
    });
    tcp::socket client = server.client();
    (void)ask(client, "x");
    smarm::request_shutdown(h.id());
    how = h.join().kind();
    seen.note("server has ended");
    refused = server.refused();
    ended = end_of(client);
  });
  CHECK_LIST(seen.all(), {"session ends", "server has ended"});
  BOOST_TEST((refused == asio::error::connection_refused));
  BOOST_TEST((ended == asio::error::eof));
  BOOST_TEST((how == exit_kind::shutdown));
}

// What a session masks is finished, what it waits for otherwise is not.
BOOST_AUTO_TEST_CASE(what_a_connection_must_finish_is_finished) {
  std::string answer(2, ' ');
  std::atomic<bool> masked{false};
  smarm::runtime(quiet(1)).run([&] {
    front server;
    auto h = server.start([&](tcp::socket socket) {
      char request = 0;
      for (;;) {
        asio::async_read(socket, asio::buffer(&request, 1), smarm::await);
        const smarm::disable_stop until_it_is_answered;
        masked = true;
        asio::async_read(socket, asio::buffer(&request, 1), smarm::await);
        asio::async_write(socket, asio::buffer("ok", 2), smarm::await);
      }
    });
    tcp::socket client = server.client();
    asio::async_write(client, asio::buffer("1", 1), smarm::await);
    until([&] { return masked.load(); });
    smarm::request_shutdown(h.id());
    until([&] { return server.refused() == asio::error::connection_refused; });
    asio::async_write(client, asio::buffer("2", 1), smarm::await);
    asio::async_read(client, asio::buffer(answer), smarm::try_await);
    (void)h.join();
  });
  BOOST_TEST(answer == "ok");
}

BOOST_AUTO_TEST_CASE(connections_may_go_on_for_a_while) {
  std::string answer;
  smarm::runtime(quiet(1)).run([&] {
    front server;
    auto h = server.start(echo, {.drain = 1h});
    tcp::socket client = server.client();
    (void)ask(client, "x");
    smarm::request_shutdown(h.id());
    until([&] { return server.refused() == asio::error::connection_refused; });
    answer = ask(client, "still here");
    client.close(); // the last one: nobody waits for the hour
    (void)h.join();
  });
  BOOST_TEST(answer == "still here");
}

BOOST_AUTO_TEST_CASE(when_the_while_is_over_they_are_ended) {
  error_code ended;
  exit_kind how{};
  smarm::runtime(quiet(2)).run([&] {
    front server;
    auto h = server.start(echo, {.drain = 2ms});
    tcp::socket client = server.client();
    (void)ask(client, "x");
    smarm::request_shutdown(h.id());
    ended = end_of(client);
    how = h.join().kind();
  });
  BOOST_TEST((ended == asio::error::eof));
  BOOST_TEST((how == exit_kind::shutdown));
}

BOOST_AUTO_TEST_CASE(who_is_stopped_gives_nobody_time) {
  exit_kind at_once{}, in_between{}, closed_first{};
  smarm::runtime(quiet(2)).run([&] {
    {
      front server;
      auto h = server.start(echo, {.drain = 1h});
      tcp::socket client = server.client();
      (void)ask(client, "x");
      smarm::request_stop(h.id());
      at_once = h.join().kind();
    }
    {
      front server;
      auto h = server.start(echo, {.drain = 1h});
      tcp::socket client = server.client();
      (void)ask(client, "x");
      smarm::request_shutdown(h.id());
      until([&] { return server.refused() == asio::error::connection_refused; });
      until([&] { return parked(h.id()); });
      smarm::request_stop(h.id());
      in_between = h.join().kind();
    }
    {
      front server;
      auto h = server.start(echo, {.drain = 1h});
      tcp::socket client = server.client();
      (void)ask(client, "x");
      until([&] { return parked(h.id()); });
      asio::post(smarm::this_actor::get_executor(), [&] { server.acceptor.close(); });
      until([&] { return server.refused() == asio::error::connection_refused; });
      smarm::request_shutdown(h.id()); // which does not shorten it
      (void)ask(client, "y");
      smarm::request_stop(h.id());
      closed_first = h.join().kind();
    }
  });
  BOOST_TEST((at_once == exit_kind::stopped));
  BOOST_TEST((in_between == exit_kind::shutdown || in_between == exit_kind::stopped));
  BOOST_TEST((closed_first == exit_kind::shutdown || closed_first == exit_kind::stopped));
}

BOOST_AUTO_TEST_CASE(closing_the_acceptor_ends_it) {
  exit_kind how{};
  error_code ended;
  smarm::runtime(quiet(1)).run([&] {
    front server;
    auto h = server.start(echo);
    tcp::socket client = server.client();
    (void)ask(client, "x");
    until([&] { return parked(h.id()); });
    server.acceptor.close();
    ended = end_of(client);
    how = h.join().kind();
  });
  BOOST_TEST((how == exit_kind::normal));
  BOOST_TEST((ended == asio::error::eof));
}

BOOST_AUTO_TEST_CASE(the_wait_between_attempts_grows_and_a_success_makes_it_short_again) {
  smarm::detail::accept_backoff b;
  std::vector<long> waits;
  int news = 0;
  std::chrono::nanoseconds now = 5s;
  for (int i = 0; i < 10; ++i) {
    const auto answer = b.failed(now += 1ms);
    waits.push_back(static_cast<long>(answer.wait.count()));
    news += answer.report;
  }
  b.succeeded();
  waits.push_back(static_cast<long>(b.failed(now += 9s).wait.count()));
  CHECK_LIST(waits, {1, 2, 4, 8, 16, 32, 64, 100, 100, 100, 1});
  BOOST_TEST(news == 1);
  BOOST_TEST(!b.failed(now += 9s).report);
  BOOST_TEST(b.failed(now += 10s).report);
}

BOOST_AUTO_TEST_SUITE_END()
