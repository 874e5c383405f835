// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What happens to servers on ordinary days: no descriptors left, a SIGTERM, clients that vanish, programs
// that are started meanwhile.

#define BOOST_TEST_MODULE server_troubles
#include <boost/test/unit_test.hpp>

#include "descriptors_of_process.hpp"
#include "other_process.hpp"
#include "plain_client.hpp"
#include "probe.hpp"
#include "waiting.hpp"

#include <smarm/accept.hpp>
#include <smarm/channel.hpp>
#include <smarm/descriptor.hpp>
#include <smarm/signal_watch.hpp>
#include <smarm/stop.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <time.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

void echo(tcp::socket socket) {
  std::array<char, 64> room;
  while (const auto got = socket.async_read_some(asio::buffer(room), smarm::try_await)) {
    if (!asio::async_write(socket, asio::buffer(room, *got), smarm::try_await)) {
      return;
    }
  }
}

tcp::acceptor listen(const smarm::executor& ex) {
  return {ex, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
}

void say(int line, const std::string& text) {
  const std::string whole = text + '\n';
  (void)!::write(line, whole.data(), whole.size());
}

std::int64_t processor_time() {
  timespec used{};
  (void)::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec * 1'000'000'000 + used.tv_nsec;
}

// In a process of its own: an echo server that may have so many descriptors. Answers 't' by the time that it
// has used, and ends at any other letter. Its status is how often it has reported that it cannot accept.
int serve_with_descriptors(int line, rlim_t most) {
  const rlimit limit{most, most};
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
  (void)::fcntl(line, F_SETFL, O_NONBLOCK);
  std::atomic<int> reports{0}, others{0};
  smarm::runtime({.schedulers = 2, .reports = [&](const smarm::report& r) {
                    if (r.kind == smarm::report_kind::accept_failed) {
                      ++reports;
                      say(line, r.text);
                    } else {
                      ++others;
                    }
                  }})
      .run([&] {
        tcp::acceptor acceptor = listen(smarm::this_actor::get_executor());
        auto server = smarm::spawn([&] { smarm::accept_each(acceptor, echo); });
        say(line, std::to_string(acceptor.local_endpoint().port()));
        char asked = 0;
        while (smarm::read(line, &asked, 1) && asked == 't') {
          say(line, std::to_string(processor_time()));
        }
        smarm::request_shutdown(server.id());
        others += server.join() != smarm::exit_kind::shutdown;
      });
  return reports + 100 * others;
}

// Those whose answer has come.
std::vector<std::size_t> answered(const std::vector<plain_client>& clients, int timeout_ms) {
  std::vector<pollfd> all;
  for (const plain_client& c : clients) {
    all.push_back({c.descriptor(), POLLIN, 0}); // of those that are closed nothing is told
  }
  (void)::poll(all.data(), all.size(), timeout_ms);
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if ((all[i].revents & POLLIN) != 0) {
      ready.push_back(i);
    }
  }
  return ready;
}

constexpr int until_it_comes = -1;

} // namespace

BOOST_AUTO_TEST_SUITE(server_troubles_suite, *boost::unit_test::timeout(240))

#if !SMARM_ASAN // which comes with a check of types that opens a pipe of its own
BOOST_AUTO_TEST_CASE(a_server_without_descriptors_waits_quietly_and_recovers) {
  other_process server([](int line) { return serve_with_descriptors(line, 64); });
  const auto port = static_cast<unsigned short>(std::stoi(server.hear()));
  std::vector<plain_client> clients;
  for (int i = 0; i < 200; ++i) {
    clients.emplace_back(port);
    clients.back().send("x");
  }
  const std::string trouble = server.hear();
  BOOST_TEST(trouble.starts_with("cannot accept connections, and goes on trying: "), trouble);
  BOOST_TEST(trouble.find("RLIMIT_NOFILE") != std::string::npos, trouble);

  // Nothing changes for a second, in which it is nearly idle: one that spins takes all of it.
  const auto used = [&] {
    server.say('t');
    return std::stoll(server.hear());
  };
  const auto begin = std::chrono::steady_clock::now();
  const auto used_before = used();
  std::this_thread::sleep_for(1s);
  const std::chrono::nanoseconds passed = std::chrono::steady_clock::now() - begin;
  BOOST_TEST(used() - used_before < passed.count() / 2);

  // Those that it serves are served still, and whoever goes makes room for another.
  std::vector<std::size_t> first = answered(clients, 0);
  BOOST_TEST(first.size() >= 30u);
  BOOST_TEST(first.size() < 64u);
  for (const std::size_t i : first) {
    BOOST_TEST(clients[i].receive(1) == "x");
    BOOST_TEST(clients[i].ask("still") == "still");
    clients[i].close();
  }
  for (std::size_t served = first.size(); served < clients.size();) {
    for (const std::size_t i : answered(clients, until_it_comes)) {
      clients[i].close();
      ++served;
    }
  }
  BOOST_TEST(plain_client(port).ask("after") == "after");
  server.say('e');
  BOOST_TEST(server.end() == 1); // one report for all that
}
#endif

// The usual end of a service: SIGTERM as a message, no new clients, and those that are there end.
BOOST_AUTO_TEST_CASE(a_server_that_gets_sigterm_lets_its_clients_end) {
  other_process server([](int line) {
    smarm::exit_status how;
    smarm::run([&] {
      tcp::acceptor acceptor = listen(smarm::this_actor::get_executor());
      auto accepting = smarm::spawn([&] { smarm::accept_each(acceptor, echo, {.drain = 1h}); });
      auto [told, signals] = smarm::channel<int>();
      const smarm::signal_watch watch({SIGTERM},
                                      [&](int signal, unsigned) { (void)told.send(signal); });
      say(line, std::to_string(acceptor.local_endpoint().port()));
      (void)signals.recv().value();
      smarm::request_shutdown(accepting.id());
      how = accepting.join();
    });
    return how == smarm::exit_kind::shutdown ? 7 : 1;
  });
  const auto port = static_cast<unsigned short>(std::stoi(server.hear()));
  plain_client client(port);
  BOOST_TEST(client.ask("before") == "before");
  BOOST_TEST(::kill(server.id(), SIGTERM) == 0);
  wait_until([&] { return !plain_client(port).connected(); });
  BOOST_TEST(client.ask("after") == "after");
  client.close();
  BOOST_TEST(server.end() == 7);
}

// In the middle of a message, by an end, a reset, or half of it; while others are served, and stopped.
BOOST_AUTO_TEST_CASE(clients_that_vanish_leave_nothing_behind) {
  constexpr int threads = 3, each = 150;
  std::atomic<int> wrong{0}, begun{0}, ended{0};
  smarm::runtime rt(quiet(2));
  (void)smarm::get_executor(rt);
  const std::set<int> before = open_descriptors();
  std::set<int> after;
  rt.run([&] {
    auto acceptor = listen(smarm::this_actor::get_executor());
    const unsigned short port = acceptor.local_endpoint().port();
    auto server = smarm::spawn([&] {
      smarm::accept_each(acceptor, [&](tcp::socket socket) {
        struct counted {
          std::atomic<int>& n;
          ~counted() { ++n; }
        } const at_end{ended};
        ++begun;
        std::array<char, 4096> message;
        for (;;) {
          const auto n = asio::async_read(socket, asio::buffer(message), smarm::try_await.within(30s));
          if (!n || !asio::async_write(socket, asio::buffer(message), smarm::try_await.within(30s))) {
            return;
          }
        }
      }, {.limit = 40});
    });
    std::vector<std::thread> clients;
    for (int t = 0; t < threads; ++t) {
      clients.emplace_back([&, t] {
        for (int i = 0; i < each; ++i) {
          plain_client c(port);
          const std::string message(4096, static_cast<char>('a' + (i + t) % 26));
          const auto cut = static_cast<std::size_t>(1 + (i * 7919 + t) % 4095);
          switch ((i + t) % 6) {
          case 0: c.reset(); break;
          case 1: c.send(message.substr(cut)); c.reset(); break;
          case 2: c.send(message + message); c.reset(); break; // the answer is on its way
          case 3: c.send(message.substr(cut)); c.half_close(); wrong += !c.receive(1).empty(); break;
          case 4: c.send(message.substr(cut)); break;
          case 5: wrong += c.ask(message) != message; break;
          }
        }
      });
    }
    std::atomic<bool> over{false};
    std::thread waits([&] {
      for (auto& c : clients) {
        c.join();
      }
      over = true;
    });
    while (!over) {
      smarm::this_actor::sleep_for(1ms);
    }
    waits.join();
    until([&] { return begun == ended && begun > threads * each / 2; });
    wrong += plain_client(port).connected() ? 0 : 1;
    smarm::request_shutdown(server.id());
    (void)server.join();
  });
  after = open_descriptors();
  BOOST_TEST(wrong == 0);
  BOOST_TEST(begun == ended);
  BOOST_TEST(after == before, boost::test_tools::per_element());
}

namespace {

// What a program that is started now finds open: its own standard streams, and what it opens for this.
std::string inherited() {
  int out[2];
  if (::pipe2(out, O_CLOEXEC) != 0) {
    return "no pipe";
  }
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  char name[] = "ls", option[] = "-1", folder[] = "/proc/self/fd";
  char* arguments[] = {name, option, folder, nullptr};
  char* none[] = {nullptr};
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, "/bin/ls", &actions, nullptr, arguments, none);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(out[1]);
  std::string text;
  char room[256];
  for (ssize_t n; failed == 0 && (n = ::read(out[0], room, sizeof room)) != 0;) {
    text.append(room, n > 0 ? static_cast<std::size_t>(n) : 0);
  }
  ::close(out[0]);
  int status = 0;
  while (failed == 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return text;
}

#if SMARM_TSAN || SMARM_ASAN
constexpr int programs = 100;
#else
constexpr int programs = 1000;
#endif

} // namespace

// Every descriptor of the library's is closed on exec from the moment that it is there.
BOOST_AUTO_TEST_CASE(programs_that_are_started_under_load_inherit_nothing) {
  const std::string without = inherited();
  std::set<std::string> seen;
  std::atomic<bool> over{false};
  std::atomic<long> rounds{0};
  std::thread starts;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto acceptor = listen(smarm::this_actor::get_executor());
    const unsigned short port = acceptor.local_endpoint().port();
    auto server = waiting([&] { smarm::accept_each(acceptor, echo); });
    const smarm::signal_watch watch({SIGUSR1}, [](int, unsigned) {});
    std::vector<smarm::join_handle> all;
    all.push_back(smarm::spawn([&] { // descriptors, deadlines and timers
      int ends[2];
      (void)!::pipe2(ends, O_CLOEXEC | O_NONBLOCK);
      asio::steady_timer timer(smarm::this_actor::get_executor());
      while (!over) {
        (void)smarm::wait_readable_for(ends[0], 200us);
        timer.expires_after(100us);
        timer.async_wait(smarm::await);
      }
      ::close(ends[0]);
      ::close(ends[1]);
    }));
    starts = std::thread([&] {
      std::thread clients([&] {
        while (!over) {
          plain_client c(port);
          rounds += c.ask("hello") == "hello";
        }
      });
      wait_until([&] { return rounds > 0; });
      for (int i = 0; i < programs; ++i) {
        seen.insert(inherited());
      }
      over = true;
      clients.join();
    });
    join_all(all);
    smarm::request_shutdown(server.id());
    (void)server.join();
  });
  starts.join();
  BOOST_TEST(rounds > 0);
  BOOST_TEST(seen.size() == 1u);
  BOOST_TEST(*seen.begin() == without);
}

BOOST_AUTO_TEST_SUITE_END()
