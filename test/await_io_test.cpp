// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// smarm::await with each kind of I/O object that Asio has: the operation, its deadline, and a stop.

#define BOOST_TEST_MODULE await_io
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/await.hpp>
#include <smarm/stop.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/connect_pipe.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/datagram_protocol.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/readable_pipe.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/writable_pipe.hpp>
#include <boost/asio/write.hpp>

#include <sys/socket.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using error_code = boost::system::error_code;
using asio::ip::tcp;
using asio::ip::udp;

namespace {

tcp::acceptor listen(const smarm::executor& ex) {
  return {ex, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
}

// Two ends of a connection, made by actors.
std::pair<tcp::socket, tcp::socket> connected() {
  const auto ex = smarm::this_actor::get_executor();
  tcp::acceptor acceptor = listen(ex);
  tcp::socket ours(ex);
  auto connects = smarm::spawn(
      [&] { ours.async_connect(acceptor.local_endpoint(), smarm::await); });
  tcp::socket theirs = acceptor.async_accept(smarm::await);
  (void)connects.join();
  return {std::move(ours), std::move(theirs)};
}

// Waits in `begin` for ever: neither a deadline nor a stop leaves anything behind.
template <class Begin>
error_code late_and_stopped(recorder& seen, Begin begin) {
  const error_code late = begin(smarm::try_await.within(1ms)).error();
  auto h = waiting([&] {
    const noted_end unwound(seen, "unwound");
    (void)begin(smarm::try_await);
    seen.note("never");
  });
  smarm::request_stop(h.id());
  (void)h.join();
  return late;
}

} // namespace

BOOST_AUTO_TEST_SUITE(await_io_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(tcp_sockets) {
  for (const unsigned schedulers : {1u, 2u}) {
    std::string line;
    std::size_t written = 0, read = 0;
    error_code ended;
    smarm::runtime({.schedulers = schedulers}).run([&] {
      auto [ours, theirs] = connected();
      auto echo = smarm::spawn([&, theirs = std::move(theirs)]() mutable {
        std::vector<char> room(64 * 1024);
        for (;;) {
          const auto n = theirs.async_read_some(asio::buffer(room), smarm::try_await);
          if (!n) {
            break;
          }
          asio::async_write(theirs, asio::buffer(room, *n), smarm::await);
        }
      });
      const std::string sent = "a line\n";
      asio::async_write(ours, asio::buffer(sent), smarm::await);
      std::string room;
      line.resize(asio::async_read_until(ours, asio::dynamic_buffer(room), '\n', smarm::await));
      line = room.substr(0, line.size());
      // More than fits into the sockets' buffers, in both directions at once.
      const std::string much(3'000'000, 'x');
      auto writer =
          smarm::spawn([&] { written = asio::async_write(ours, asio::buffer(much), smarm::await); });
      std::string back(much.size(), ' ');
      read = asio::async_read(ours, asio::buffer(back), smarm::await);
      (void)writer.join();
      ours.shutdown(tcp::socket::shutdown_send);
      (void)echo.join();
      ended = asio::async_read(ours, asio::buffer(back), smarm::try_await).error();
    });
    BOOST_TEST(line == "a line\n");
    BOOST_TEST(written == 3'000'000u);
    BOOST_TEST(read == 3'000'000u);
    BOOST_TEST((ended == asio::error::eof));
  }
}

BOOST_AUTO_TEST_CASE(waits_on_tcp_end_by_deadline_and_stop) {
  recorder seen;
  error_code accepts, reads, reads_all, writes;
  std::string after(1, ' ');
  smarm::run([&] {
    tcp::acceptor acceptor = listen(smarm::this_actor::get_executor());
    accepts = late_and_stopped(seen, [&](auto token) { return acceptor.async_accept(token); });
    auto [ours, theirs] = connected();
    std::array<char, 16> room{};
    reads = late_and_stopped(seen, [&, &ours = ours](auto token) {
      return ours.async_read_some(asio::buffer(room), token);
    });
    reads_all = late_and_stopped(seen, [&, &ours = ours](auto token) {
      return asio::async_read(ours, asio::buffer(room), token);
    });
    // What was cancelled has taken nothing.
    asio::async_write(theirs, asio::buffer("y", 1), smarm::await);
    asio::async_read(ours, asio::buffer(after), smarm::await);
    const std::string much(20'000'000, 'x');
    writes = late_and_stopped(seen, [&, &ours = ours](auto token) {
      return asio::async_write(ours, asio::buffer(much), token);
    });
  });
  BOOST_TEST((accepts == smarm::errc::timed_out));
  BOOST_TEST((reads == smarm::errc::timed_out));
  BOOST_TEST((reads_all == smarm::errc::timed_out));
  BOOST_TEST((writes == smarm::errc::timed_out));
  BOOST_TEST(after == "y");
  BOOST_TEST(seen.all() == strings(4, "unwound"), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(names_are_resolved_and_connected_to) {
  unsigned short port = 0, connected_to = 1;
  error_code nobody;
  smarm::run([&] {
    const auto ex = smarm::this_actor::get_executor();
    tcp::acceptor acceptor = listen(ex);
    port = acceptor.local_endpoint().port();
    tcp::resolver resolver(ex);
    const auto found = resolver.async_resolve("127.0.0.1", std::to_string(port), smarm::await);
    tcp::socket socket(ex);
    connected_to = asio::async_connect(socket, found, smarm::await).port();
    acceptor.close();
    tcp::socket other(ex);
    nobody = asio::async_connect(other, found, smarm::try_await).error();
  });
  BOOST_TEST(port == connected_to);
  BOOST_TEST((nobody == asio::error::connection_refused));
}

BOOST_AUTO_TEST_CASE(closing_a_socket_ends_the_waits_on_it) {
  error_code reader;
  smarm::run([&] {
    auto [ours, theirs] = connected();
    auto h = waiting([&, &ours = ours] {
      char c;
      reader = ours.async_read_some(asio::buffer(&c, 1), smarm::try_await).error();
    });
    ours.close();
    (void)h.join();
  });
  BOOST_TEST((reader == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(udp_sockets) {
  recorder seen;
  std::string got(16, ' ');
  error_code late;
  bool from_us = false;
  smarm::run([&] {
    const auto ex = smarm::this_actor::get_executor();
    const udp::endpoint any(asio::ip::address_v4::loopback(), 0);
    udp::socket ours(ex, any), theirs(ex, any);
    udp::endpoint from;
    late = late_and_stopped(seen, [&](auto token) {
      return theirs.async_receive_from(asio::buffer(got), from, token);
    });
    auto receives = waiting([&] {
      got.resize(theirs.async_receive_from(asio::buffer(got), from, smarm::await));
    });
    ours.async_send_to(asio::buffer("datagram", 8), theirs.local_endpoint(), smarm::await);
    (void)receives.join();
    from_us = from == ours.local_endpoint();
  });
  BOOST_TEST(got == "datagram");
  BOOST_TEST(from_us);
  BOOST_TEST((late == smarm::errc::timed_out));
  CHECK_LIST(seen.all(), {"unwound"});
}

BOOST_AUTO_TEST_CASE(local_sockets) {
  recorder seen;
  std::string stream(5, ' '), datagram(8, ' ');
  error_code late;
  smarm::run([&] {
    const auto ex = smarm::this_actor::get_executor();
    asio::local::stream_protocol::socket a(ex), b(ex);
    asio::local::connect_pair(a, b);
    late = late_and_stopped(
        seen, [&](auto token) { return asio::async_read(b, asio::buffer(stream), token); });
    auto reads = waiting([&] { asio::async_read(b, asio::buffer(stream), smarm::await); });
    asio::async_write(a, asio::buffer("local", 5), smarm::await);
    (void)reads.join();
    asio::local::datagram_protocol::socket c(ex), d(ex);
    asio::local::connect_pair(c, d);
    c.async_send(asio::buffer("datagram", 8), smarm::await);
    datagram.resize(d.async_receive(asio::buffer(datagram), smarm::await));
  });
  BOOST_TEST(stream == "local");
  BOOST_TEST(datagram == "datagram");
  BOOST_TEST((late == smarm::errc::timed_out));
  CHECK_LIST(seen.all(), {"unwound"});
}

BOOST_AUTO_TEST_CASE(pipes) {
  recorder seen;
  std::string got(4, ' ');
  error_code late, ended;
  smarm::run([&] {
    const auto ex = smarm::this_actor::get_executor();
    asio::readable_pipe out(ex);
    asio::writable_pipe in(ex);
    asio::connect_pipe(out, in);
    late = late_and_stopped(
        seen, [&](auto token) { return out.async_read_some(asio::buffer(got), token); });
    auto reads = waiting([&] { asio::async_read(out, asio::buffer(got), smarm::await); });
    asio::async_write(in, asio::buffer("pipe", 4), smarm::await);
    (void)reads.join();
    in.close();
    ended = asio::async_read(out, asio::buffer(got), smarm::try_await).error();
  });
  BOOST_TEST(got == "pipe");
  BOOST_TEST((late == smarm::errc::timed_out));
  BOOST_TEST((ended == asio::error::eof));
  CHECK_LIST(seen.all(), {"unwound"});
}

BOOST_AUTO_TEST_CASE(signal_sets) {
  recorder seen;
  error_code late;
  int got = 0;
  smarm::run([&] {
    asio::signal_set signals(smarm::this_actor::get_executor(), SIGUSR1);
    late = late_and_stopped(seen, [&](auto token) { return signals.async_wait(token); });
    auto h = waiting([&] { got = signals.async_wait(smarm::await); });
    (void)std::raise(SIGUSR1);
    (void)h.join();
  });
  BOOST_TEST((late == smarm::errc::timed_out));
  BOOST_TEST(got == SIGUSR1);
  CHECK_LIST(seen.all(), {"unwound"});
}

// Deadlines that race with what is awaited, on several schedulers: whatever wins, each byte is seen
// once.
BOOST_AUTO_TEST_CASE(deadlines_race_with_data) {
  std::atomic<int> got{0}, late{0}, other{0};
  constexpr int pairs = 8, each = 300;
  smarm::runtime({.schedulers = 3}).run([&] {
    const auto ex = smarm::this_actor::get_executor();
    std::vector<smarm::join_handle> all;
    for (int p = 0; p < pairs; ++p) {
      auto ends = std::make_shared<std::pair<asio::local::stream_protocol::socket,
                                             asio::local::stream_protocol::socket>>(ex, ex);
      asio::local::connect_pair(ends->first, ends->second);
      all.push_back(smarm::spawn([&, ends, p] {
        char c;
        for (int n = 0, i = 0; n < each; ++i) {
          const auto limit = std::chrono::microseconds((i * 7919 + p * 31) % 120);
          const auto r = asio::async_read(ends->first, asio::buffer(&c, 1),
                                          smarm::try_await.within(limit));
          if (r) {
            ++got;
            ++n;
          } else if (r.error() == smarm::errc::timed_out) {
            ++late;
          } else {
            ++other;
            break;
          }
        }
      }));
      all.push_back(smarm::spawn([&, ends] {
        for (int i = 0; i < each; ++i) {
          asio::async_write(ends->second, asio::buffer("x", 1), smarm::await);
          smarm::this_actor::sleep_for(std::chrono::microseconds(i % 3 * 40));
        }
      }));
    }
    join_all(all);
  });
  BOOST_TEST(got == pairs * each);
  BOOST_TEST(other == 0);
}

// Stops at every moment: nobody is left, nothing is used after its frame.
BOOST_AUTO_TEST_CASE(stops_race_with_data) {
  std::atomic<int> begun{0};
  recorder unwound;
  constexpr int victims = 200;
  smarm::runtime({.schedulers = 3}).run([&] {
    const auto ex = smarm::this_actor::get_executor();
    for (int v = 0; v < victims; ++v) {
      asio::local::stream_protocol::socket a(ex), b(ex);
      asio::local::connect_pair(a, b);
      auto writes = smarm::spawn([&] {
        for (;;) {
          if (!asio::async_write(a, asio::buffer("xyz", 3), smarm::try_await)) {
            return;
          }
        }
      });
      auto reads = smarm::spawn([&] {
        const noted_end end(unwound, "reader");
        std::array<char, 8> room;
        for (;;) {
          ++begun;
          asio::async_read(b, asio::buffer(room), smarm::await);
        }
      });
      const int from = begun;
      until([&] { return begun > from + v % 5; });
      smarm::request_stop(reads.id());
      (void)reads.join();
      smarm::request_stop(writes.id());
      (void)writes.join();
    }
  });
  BOOST_TEST(unwound.size() == static_cast<std::size_t>(victims));
}

BOOST_AUTO_TEST_SUITE_END()
