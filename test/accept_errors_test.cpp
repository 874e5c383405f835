// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What accept fails with because of one client, which is no trouble of the server's: this program's
// accept4 can be told to fail.

#define BOOST_TEST_MODULE accept_errors
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/accept.hpp>
#include <smarm/stop.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

using namespace smarm_test;
namespace asio = boost::asio;
using asio::ip::tcp;
using smarm::exit_kind;

namespace {

constexpr int for_ever = std::numeric_limits<int>::max();
std::atomic<int> fails_with{0};
std::atomic<int> failures_left{0}; // written by who sets the above, and by who accepts
std::atomic<int> failed{0};

} // namespace

extern "C" int accept4(int listening, sockaddr* peer, socklen_t* size, int flags) {
  if (failures_left > 0) {
    failures_left -= failures_left != for_ever;
    ++failed;
    errno = fails_with;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_accept4, listening, peer, size, flags));
}

namespace {

// A server that sends one byte to each client, and what comes of it when accept fails so often with that.
struct outcome {
  char answer = '-';
  exit_kind end{};
  std::size_t reports = 0;
};

template <class Meanwhile>
outcome served(int error, int times, Meanwhile meanwhile) {
  outcome seen;
  recorder reports;
  smarm::runtime rt(
      {.schedulers = 1, .reports = [&](const smarm::report& r) { reports.note(r.text); }});
  rt.run([&] {
    const auto ex = smarm::this_actor::get_executor();
    tcp::acceptor acceptor(ex, {asio::ip::address_v4::loopback(), 0});
    const tcp::endpoint where = acceptor.local_endpoint();
    auto server = waiting([&] {
      smarm::accept_each(acceptor, [](tcp::socket socket) {
        asio::async_write(socket, asio::buffer("a", 1), smarm::await);
      });
    });
    fails_with = error;
    failures_left = times;
    tcp::socket client(ex);
    client.async_connect(where, smarm::await);
    meanwhile();
    (void)asio::async_read(client, asio::buffer(&seen.answer, 1), smarm::try_await);
    smarm::request_shutdown(server.id());
    seen.end = server.join().kind();
  });
  seen.reports = reports.size();
  return seen;
}

} // namespace

BOOST_AUTO_TEST_SUITE(accept_errors_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(what_concerns_one_client_ends_nothing_and_is_no_news) {
  for (const int error : {ECONNABORTED, EPROTO, EPERM, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET,
                          EHOSTUNREACH, ENETUNREACH, ETIMEDOUT}) {
    BOOST_TEST_CONTEXT(std::strerror(error)) {
      failed = 0;
      const outcome seen = served(error, 3, [] {});
      BOOST_TEST(failed == 3);
      BOOST_TEST(seen.answer == 'a');
      BOOST_TEST((seen.end == exit_kind::shutdown));
      BOOST_TEST(seen.reports == 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_interrupted_accept_is_made_again) {
  failed = 0;
  const outcome seen = served(EINTR, 2, [] {});
  BOOST_TEST(failed == 2);
  BOOST_TEST(seen.answer == 'a');
  BOOST_TEST(seen.reports == 0u);
}

// Clients that come and go without end keep nobody else from running, nor the server from being stopped.
BOOST_AUTO_TEST_CASE(a_storm_of_clients_that_are_gone_leaves_others_their_turn) {
  failed = 0;
  const outcome seen = served(ECONNABORTED, for_ever, [] {
    until([] { return failed > 0; });
    failures_left = 0;
  });
  BOOST_TEST(seen.answer == 'a');
  BOOST_TEST((seen.end == exit_kind::shutdown));
}

BOOST_AUTO_TEST_CASE(the_system_being_out_of_descriptors_is_waited_out_and_reported_once) {
  for (const int error : {EMFILE, ENFILE, ENOBUFS, ENOMEM}) {
    BOOST_TEST_CONTEXT(std::strerror(error)) {
      failed = 0;
      const outcome seen = served(error, 3, [] {});
      BOOST_TEST(failed == 3);
      BOOST_TEST(seen.answer == 'a');
      BOOST_TEST((seen.end == exit_kind::shutdown));
      BOOST_TEST(seen.reports == 1u);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
