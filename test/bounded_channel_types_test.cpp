// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Messages of a bounded channel that are hard to move, and the locks that it may be used under.

#define BOOST_TEST_MODULE bounded_channel_types
#include <boost/test/unit_test.hpp>

#include "bounded_channels.hpp"
#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::overflow;

BOOST_AUTO_TEST_SUITE(bounded_channel_types_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(each_policy_takes_messages_that_are_hard_to_move) {
  for (const overflow policy : policies) {
    int sum = 0;
    bool aligned = true;
    smarm::run([&] {
      auto [a, ra] = smarm::channel<std::unique_ptr<int>>({.capacity = 3, .when_full = policy});
      auto [b, rb] = smarm::channel<over_aligned>({.capacity = 3, .when_full = policy});
      auto [c, rc] = smarm::channel<large>({.capacity = 3, .when_full = policy});
      auto [d, rd] = smarm::channel<unassignable>({.capacity = 3, .when_full = policy});
      auto [e, re] = smarm::channel<reluctant>({.capacity = 3, .when_full = policy});
      for (int i = 0; i < 3; ++i) {
        (void)a.send(std::make_unique<int>(1));
        (void)b.send({10});
        (void)c.send({100, {}});
        (void)d.send({1000});
        (void)e.send(reluctant(10000));
      }
      for (int i = 0; i < 3; ++i) {
        const auto x = rb.recv().value();
        aligned = aligned && x.placed;
        sum += *ra.recv().value() + x.value + rc.recv().value().value + rd.recv().value().value +
               re.recv().value().value;
      }
    });
    BOOST_TEST(sum == 33333);
    BOOST_TEST(aligned);
  }
  BOOST_TEST(reluctant::alive == 0);
}

BOOST_AUTO_TEST_CASE(a_message_that_cannot_be_moved_stays_where_it_is) {
  for (const overflow policy : policies) {
    std::vector<int> got;
    smarm::run([&] {
      auto [tx, rx] = smarm::channel<reluctant>({.capacity = 3, .when_full = policy});
      reluctant first(5);
      reluctant::moves_until_throw = 0;
      got.push_back(thrown([&] { (void)tx.send(std::move(first)); }));
      got.push_back(first.value);
      (void)tx.send(std::move(first));
      reluctant::moves_until_throw = 0;
      got.push_back(thrown([&] { (void)tx.send(reluctant(6)); }));
      (void)tx.send(reluctant(7));
      reluctant::moves_until_throw = 0;
      got.push_back(thrown([&] { (void)rx.recv(); }));
      got.push_back(rx.recv().value().value);
      got.push_back(rx.recv().value().value);
    });
    CHECK_LIST(got, {1, 5, 1, 1, 5, 7});
  }
  BOOST_TEST(reluctant::alive == 0);
}

BOOST_AUTO_TEST_CASE(a_value_that_may_throw_when_moved_comes_back_from_a_send_that_fails) {
  std::vector<int> got;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<reluctant>({.capacity = 1});
    (void)tx.send(reluctant(1));
    reluctant value(2);
    got.push_back(error_of(tx.send_for(std::move(value), 1ms)) == errc::timed_out);
    got.push_back(value.value);
    got.push_back(error_of(tx.try_send(std::move(value))) == errc::queue_full);
    got.push_back(value.value);
    auto sending = smarm::spawn([&] { (void)tx.send(std::move(value)); });
    until([&] { return parked(sending.id()); });
    smarm::request_stop(sending.id());
    (void)sending.join();
    got.push_back(value.value);
    { auto gone = std::move(rx); }
    got.push_back(error_of(tx.send(std::move(value))) == errc::closed);
    got.push_back(value.value);
  });
  CHECK_LIST(got, {1, 2, 1, 2, 2, 1, 2});
  BOOST_TEST(reluctant::alive == 0);
}

// The runtime sends under locks of its own; checked builds abort where the order of locks is violated.
BOOST_AUTO_TEST_CASE(a_channel_is_used_under_a_leaf_lock) {
  int received = 0;
  smarm::run([&] {
    smarm::detail::raw_lock leaf;
    for (const auto policy : {smarm::overflow::block, smarm::overflow::fail,
                              smarm::overflow::drop_newest, smarm::overflow::drop_oldest}) {
      auto [tx, rx] = smarm::channel<int>({.capacity = 1, .when_full = policy});
      const std::lock_guard guard(leaf);
      for (int i = 0; i < 3; ++i) {
        (void)tx.try_send(i);
      }
      received += rx.try_recv().has_value();
    }
  });
  BOOST_TEST(received == 4);
}

BOOST_AUTO_TEST_SUITE_END()
