// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Channels of plain threads, between runtimes and in scheduler context, and receivers that are handed on.

#define BOOST_TEST_MODULE channel_outside
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>

#include <boost/system/system_error.hpp>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

BOOST_AUTO_TEST_SUITE(channel_outside_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(plain_threads_send_and_receive) {
  auto [tx, rx] = smarm::channel<int>();
  BOOST_TEST((error_of(rx.try_recv()) == errc::empty));
  BOOST_TEST((error_of(rx.recv_for(2ms)) == errc::timed_out));
  long sum = 0;
  std::thread receiving([&] {
    while (auto message = rx.recv()) {
      sum += *message;
    }
  });
  std::vector<std::thread> sending;
  for (int t = 0; t < 3; ++t) {
    sending.emplace_back([out = tx] {
      for (int i = 1; i <= 10'000; ++i) {
        (void)out.send(i);
      }
    });
  }
  tx = {};
  for (auto& t : sending) {
    t.join();
  }
  receiving.join();
  BOOST_TEST(sum == 3L * 10'000 * 10'001 / 2);
  BOOST_TEST((error_of(rx.recv()) == errc::closed));
}

BOOST_AUTO_TEST_CASE(a_thread_and_an_actor_take_turns) {
  auto [to_actor, requests] = smarm::channel<int>();
  auto [to_thread, answers] = smarm::channel<int>();
  smarm::runtime rt(quiet(2));
  rt.start();
  auto answering = rt.handle().spawn([&] {
    while (auto n = requests.recv()) {
      (void)to_thread.send(*n + 1);
    }
  });
  int n = 0;
  for (int i = 0; i < 1000; ++i) {
    (void)to_actor.send(std::move(n));
    n = answers.recv().value();
  }
  to_actor = {};
  BOOST_TEST((answering.join() == exit_kind::normal));
  BOOST_TEST(n == 1000);
  BOOST_TEST(rt.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(actors_of_two_runtimes_talk) {
  auto [there, requests] = smarm::channel<int>();
  auto [back, answers] = smarm::channel<int>();
  smarm::runtime one(quiet(1));
  smarm::runtime two(quiet(2));
  one.start();
  auto answering = one.handle().spawn([&, reply = std::move(back)] {
    while (auto n = requests.recv()) {
      (void)reply.send(*n + 1);
    }
  });
  int n = 0;
  two.run([&] {
    for (int i = 0; i < 1000; ++i) {
      (void)there.send(std::move(n));
      n = answers.recv().value();
    }
    there = {};
  });
  BOOST_TEST((answering.join() == exit_kind::normal));
  BOOST_TEST(n == 1000);
  BOOST_TEST(one.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(in_scheduler_context_what_would_wait_is_refused_and_the_rest_works) {
  std::vector<errc> codes;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    smarm::this_actor::run_on_thread_stack([&] {
      codes.push_back(error_of(rx.recv()));
      codes.push_back(error_of(rx.recv_for(1h)));
      codes.push_back(error_of(rx.recv_match([](int) { return true; })));
      codes.push_back(error_of(tx.send(1)));
      codes.push_back(error_of(rx.recv())); // there is one: nothing to wait for
      codes.push_back(error_of(rx.try_recv()));
      tx = {};
      codes.push_back(error_of(rx.recv()));
    });
  });
  BOOST_TEST((codes == std::vector{errc::would_block_scheduler, errc::would_block_scheduler,
                                   errc::would_block_scheduler, errc{}, errc{}, errc::empty,
                                   errc::closed}));
}

BOOST_AUTO_TEST_CASE(a_channel_outlives_the_runtime_of_those_who_used_it) {
  auto [tx, rx] = smarm::channel<std::string>();
  smarm::run([&] {
    (void)smarm::spawn([&] { (void)tx.send("from the past"); }).join();
    (void)tx.send("again");
    (void)rx.recv();
  });
  BOOST_TEST(rx.recv().value() == "again");
  (void)tx.send("later");
  BOOST_TEST(rx.recv_for(1h).value() == "later");
}

int receive_in_turn(smarm::receiver<int> rx) {
  auto message = rx.recv();
  if (!message) {
    return 0;
  }
  int later = 0;
  (void)smarm::spawn([&, in = std::move(rx)]() mutable {
    later = receive_in_turn(std::move(in));
  }).join();
  return *message + later;
}

BOOST_AUTO_TEST_CASE(a_second_receiver_is_refused_and_the_first_goes_on) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (const int kind : {0, 1, 2}) {
      auto [tx, rx] =
          kind == 0 ? smarm::channel<int>()
                    : smarm::channel<int>({.capacity = 2,
                                           .when_full = kind == 1 ? smarm::overflow::block
                                                                  : smarm::overflow::drop_oldest});
      for (const bool choosing : {false, true}) {
        auto first = smarm::spawn([&seen, &rx = rx, choosing] {
          const auto any = [](int) { return true; };
          const auto got = choosing ? rx.recv_match(any) : rx.recv();
          seen.note("got " + std::to_string(got.value()));
        });
        until([&] { return parked(first.id()); });
        for (int how = 0; how < 4; ++how) {
          try {
            using namespace std::chrono_literals;
            const auto any = [](int) { return true; };
            (void)(how == 0   ? rx.recv()
                   : how == 1 ? rx.recv_for(1h)
                   : how == 2 ? rx.recv_match(any)
                              : rx.recv_match_for(any, 1h));
            seen.note("received");
          } catch (const boost::system::system_error& e) {
            seen.note(e.code() == smarm::errc::already_waiting ? "refused" : e.what());
          }
        }
        (void)tx.send(7);
        (void)first.join();
      }
    }
  });
  const auto all = seen.all();
  BOOST_TEST(all.size() == 30u);
  BOOST_TEST(seen.count("refused") == 24u);
  BOOST_TEST(seen.count("got 7") == 6u);
}

BOOST_AUTO_TEST_CASE(a_receiver_moves_from_one_actor_to_the_next) {
  int got = 0;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto sending = smarm::spawn([out = std::move(tx)] {
      for (int i = 1; i <= 100; ++i) {
        (void)out.send(i);
        smarm::this_actor::yield();
      }
    });
    got = receive_in_turn(std::move(rx));
    (void)sending.join();
  });
  BOOST_TEST(got == 5050);
}

BOOST_AUTO_TEST_SUITE_END()
