// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An actor that goes through every kind of input and output is stopped one step later in each round, and
// at several moments of that step. Wherever that meets it, it ends, no descriptor stays open, and whatever
// others share with it can be used again.

#define BOOST_TEST_MODULE io_stopped_anywhere
#include <boost/test/unit_test.hpp>

#include "descriptors_of_process.hpp"
#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/accept.hpp>
#include <smarm/channel.hpp>
#include <smarm/descriptor.hpp>
#include <smarm/descriptor_arm.hpp>
#include <smarm/select.hpp>
#include <smarm/stop.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <set>
#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;
using smarm::exit_kind;

namespace {

constexpr int moments = 6; // turns of the others between the victim's step and its stop

class shared_pipe {
public:
  shared_pipe() { (void)!::pipe2(ends_, O_NONBLOCK | O_CLOEXEC); }
  shared_pipe(const shared_pipe&) = delete;
  shared_pipe& operator=(const shared_pipe&) = delete;
  ~shared_pipe() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  [[nodiscard]] int out() const { return ends_[0]; }
  [[nodiscard]] int in() const { return ends_[1]; }

  // Nobody waits for it any more, and who does is woken.
  [[nodiscard]] bool usable() const {
    char c = 0;
    while (::read(out(), &c, 1) == 1) {
    }
    bool read = false;
    auto reader = waiting([&] { read = smarm::read(out(), &c, 1).has_value() && c == 'u'; });
    const bool written = smarm::write(in(), "u", 1).has_value();
    (void)reader.join();
    return read && written;
  }

private:
  int ends_[2] = {-1, -1};
};

void echo(tcp::socket socket) {
  std::array<char, 4096> room;
  while (const auto got = socket.async_read_some(asio::buffer(room), smarm::try_await)) {
    if (!asio::async_write(socket, asio::buffer(room, *got), smarm::try_await)) {
      return;
    }
  }
}

tcp::acceptor listen(const smarm::executor& ex) {
  return {ex, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
}

// Whether a server that listens there answers.
bool answers(const tcp::endpoint& where) {
  tcp::socket socket(smarm::this_actor::get_executor());
  std::string text = "hello";
  return socket.async_connect(where, smarm::try_await) &&
         asio::async_write(socket, asio::buffer(text), smarm::try_await) &&
         asio::async_read(socket, asio::buffer(text), smarm::try_await);
}

// Stops the victim `moment` turns after it has come so far; false if it did not get there.
template <class Body>
bool stopped_at(int step, int moment, std::atomic<int>& way, Body body) {
  way = 0;
  auto victim = smarm::spawn(std::move(body));
  until([&] { return way >= step; });
  for (int i = 0; i < moment; ++i) {
    smarm::this_actor::yield();
  }
  smarm::request_stop(victim.id());
  return victim.join().kind() == exit_kind::stopped;
}

} // namespace

BOOST_AUTO_TEST_SUITE(io_stopped_anywhere_suite, *boost::unit_test::timeout(240))

BOOST_AUTO_TEST_CASE(a_client_of_everything_leaves_everything_usable) {
  constexpr int steps = 13; // the last one waits for what never comes
  for (const unsigned schedulers : {1u, 2u}) {
    int whole = 0;
    std::set<int> ways;
    std::atomic<int> way{0};
    smarm::runtime rt(quiet(schedulers));
    rt.run([&] {
      const auto ex = smarm::this_actor::get_executor();
      auto acceptor = listen(ex);
      const auto where = acceptor.local_endpoint();
      auto server = waiting([&] { smarm::accept_each(acceptor, echo); });
      const shared_pipe pipe;
      const shared_pipe other;
      const std::set<int> before = open_descriptors();
      until([&] { return answers(where); });
      for (int step = 0; step <= steps; ++step) {
        for (int moment = 0; moment < moments; ++moment) {
          const bool stopped = stopped_at(step, moment, way, [&] {
            for (;;) {
              tcp::resolver resolver(ex);
              const auto found = resolver.async_resolve(
                  "127.0.0.1", std::to_string(where.port()), smarm::await);
              ++way;
              tcp::socket socket(ex);
              asio::async_connect(socket, found, smarm::await);
              ++way;
              std::string text(200'000, 'x'); // more than is taken at once
              auto writer = smarm::spawn([&] {
                (void)asio::async_write(socket, asio::buffer(text), smarm::try_await);
              });
              struct joined {
                smarm::join_handle& h;
                ~joined() {
                  if (h.joinable()) {
                    smarm::request_shutdown(h.id());
                    (void)h.join();
                  }
                }
              } const at_end{writer};
              std::string back(text.size(), ' ');
              asio::async_read(socket, asio::buffer(back), smarm::await);
              ++way;
              (void)writer.join_for(1h);
              ++way;
              (void)socket.async_read_some(asio::buffer(back), smarm::try_await.within(50us));
              ++way;
              asio::ip::udp::socket datagrams(ex, {asio::ip::address_v4::loopback(), 0});
              datagrams.async_send_to(asio::buffer("d", 1), datagrams.local_endpoint(),
                                      smarm::await);
              ++way;
              datagrams.async_receive(asio::buffer(back), smarm::await);
              ++way;
              (void)smarm::write(pipe.in(), "p", 1).value();
              ++way;
              (void)smarm::wait_readable(pipe.out()).value();
              ++way;
              char c = 0;
              (void)smarm::read(pipe.out(), &c, 1).value();
              ++way;
              (void)smarm::wait_readable_for(pipe.out(), 50us);
              ++way;
              auto [to, from] = smarm::channel<int>();
              (void)smarm::select_for(50us, from, smarm::readable(pipe.out()),
                                      smarm::readable(other.out()));
              ++way;
              asio::steady_timer timer(ex, 20us);
              timer.async_wait(smarm::await);
              ++way;
              (void)smarm::select(smarm::readable(pipe.out()), from, smarm::readable(other.out()));
            }
          });
          ways.insert(way);
          whole += stopped && pipe.usable() && other.usable() && answers(where);
          until([&] { return none_open_but(before); });
        }
      }
      smarm::request_shutdown(server.id());
      (void)server.join();
    });
    BOOST_TEST(whole == (steps + 1) * moments);
    BOOST_TEST(ways.size() >= 8u); // some are over before anybody can stop them
  }
}

// Those that wait on the other side are told, whatever the server was about.
BOOST_AUTO_TEST_CASE(a_server_that_is_stopped_leaves_no_client_waiting) {
  constexpr int steps = 12;
  for (const unsigned schedulers : {1u, 2u}) {
    for (const auto drain : {0ns, std::chrono::nanoseconds(100us)}) {
      int whole = 0;
      std::atomic<int> way{0};
      smarm::runtime rt(quiet(schedulers));
      rt.run([&] {
        const auto ex = smarm::this_actor::get_executor();
        (void)listen(ex);
        const std::set<int> before = open_descriptors();
        for (int step = 0; step < steps; ++step) {
          for (int moment = 0; moment < moments; ++moment) {
            way = 0;
            auto acceptor = listen(ex);
            const auto where = acceptor.local_endpoint();
            auto server = smarm::spawn([&] {
              smarm::accept_each(acceptor, [&](tcp::socket socket) {
                ++way;
                echo(std::move(socket));
              }, {.limit = 2, .drain = drain});
            });
            std::vector<smarm::join_handle> clients;
            for (int c = 0; c < 4; ++c) {
              clients.push_back(smarm::spawn([&] {
                while (answers(where)) {
                  ++way;
                }
              }));
            }
            until([&] { return way >= step; });
            for (int i = 0; i < moment; ++i) {
              smarm::this_actor::yield();
            }
            (void)((step + moment) % 2 == 0 ? smarm::request_stop(server.id())
                                            : smarm::request_shutdown(server.id()));
            const bool ended = server.join() != exit_kind::failed;
            join_all(clients);
            whole += ended && !acceptor.is_open();
            until([&] { return none_open_but(before); });
          }
        }
      });
      BOOST_TEST(whole == steps * moments);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
