// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Cancelling a message that is under way.

#define BOOST_TEST_MODULE send_after_cancel
#include <boost/test/unit_test.hpp>

#include "delayed_messages.hpp"
#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/runtime.hpp>
#include <smarm/send_after.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::send_after;
using smarm::timer_id;

BOOST_AUTO_TEST_SUITE(send_after_cancel_suite, *boost::unit_test::timeout(120))

// ---- cancelling

BOOST_AUTO_TEST_CASE(cancel_is_true_once_and_the_message_never_comes) {
  std::vector<int> results;
  errc after{};
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    const timer_id id = send_after(1ms, tx, 1);
    const timer_id copy = id;
    results = {id.pending(), cancel(copy), cancel(id), cancel(copy), id.pending()};
    (void)send_after(2ms, tx, 2); // comes after the first one would have
    results.push_back(rx.recv().value() == 2);
    after = error_of(rx.try_recv());
  });
  CHECK_LIST(results, {true, true, false, false, false, true});
  BOOST_TEST((after == errc::empty));
}

BOOST_AUTO_TEST_CASE(cancel_frees_the_message_and_lets_go_of_the_channel_at_once) {
  long count = 0;
  errc after{};
  std::size_t armed = 1;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<std::shared_ptr<int>>();
    auto shared = std::make_shared<int>(1);
    const timer_id id = send_after(1h, tx, shared);
    tx = {}; // the timer's is the only sender now
    (void)cancel(id);
    count = shared.use_count();
    after = error_of(rx.recv());
    armed = this_runtime().stats().armed_timers;
  });
  BOOST_TEST(count == 1);
  BOOST_TEST((after == errc::closed));
  BOOST_TEST(armed == 0u);
}

BOOST_AUTO_TEST_CASE(a_pending_timer_keeps_its_channel_open) {
  int got = 0;
  errc after{};
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    (void)send_after(1ms, std::exchange(tx, {}), 3);
    got = rx.recv().value();
    after = error_of(rx.recv());
  });
  BOOST_TEST(got == 3);
  BOOST_TEST((after == errc::closed));
}

BOOST_AUTO_TEST_CASE(cancel_after_the_fire_is_false) {
  bool cancelled = true;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    const timer_id id = send_after(1us, tx, 1);
    (void)rx.recv();
    cancelled = cancel(id);
  });
  BOOST_TEST(!cancelled);
}

BOOST_AUTO_TEST_CASE(an_id_of_no_timer_cancels_nothing) {
  std::vector<int> results;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    timer_id none;
    timer_id id = send_after(1h, tx, 1);
    results = {cancel(none), none.pending(), id == none};
    none = std::move(id);
    results.push_back(cancel(id));
    results.push_back(id == timer_id());
    results.push_back(cancel(none));
  });
  CHECK_LIST(results, {false, false, false, false, true, true});
}

BOOST_AUTO_TEST_CASE(many_threads_cancel_and_one_is_told_that_it_did) {
  constexpr int timers = 300;
  constexpr int threads = 3;
  std::atomic<int> cancelled{0};
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<counted>();
    std::vector<timer_id> ids;
    for (int i = 0; i < timers; ++i) {
      ids.push_back(send_after(1h, tx, counted(i)));
    }
    std::atomic<int> ready{0};
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([&] {
        ++ready;
        wait_until([&] { return ready == threads; });
        for (const timer_id& id : ids) {
          cancelled += cancel(id);
        }
      });
    }
    for (std::thread& t : all) {
      t.join();
    }
  });
  BOOST_TEST(cancelled == timers);
  BOOST_TEST(counted::alive == 0);
}

BOOST_AUTO_TEST_CASE(each_message_is_delivered_or_cancelled_and_destroyed_once) {
  constexpr int timers = SMARM_TSAN ? 3000 : 20000;
  counted::ends = 0;
  std::vector<std::atomic<int>> delivered(timers);
  std::vector<std::atomic<int>> cancelled(timers);
  std::vector<timer_id> ids(timers);
  smarm::runtime rt(quiet(3));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<counted>();
    std::atomic<int> armed{0};
    std::vector<std::thread> cancelling;
    for (int t = 0; t < 2; ++t) {
      cancelling.emplace_back([&, t] {
        for (int i = 0; i < timers; ++i) {
          wait_until([&] { return armed > i; });
          if ((i + t) % 3 != 0) { // some by both, some by one, so that some are left to fire
            cancelled[static_cast<std::size_t>(i)] += cancel(ids[static_cast<std::size_t>(i)]);
          }
        }
      });
    }
    auto arming = smarm::spawn([&, tx = std::move(tx)] {
      for (int i = 0; i < timers; ++i) {
        ids[static_cast<std::size_t>(i)] =
            send_after(std::chrono::nanoseconds(i * 7919 % 30'000), tx, counted(i));
        armed = i + 1;
        if (i % 16 == 0) {
          smarm::this_actor::yield();
        }
      }
    });
    while (auto message = rx.recv()) {
      ++delivered[static_cast<std::size_t>(message->value)];
    }
    (void)arming.join();
    for (std::thread& t : cancelling) {
      t.join();
    }
  });
  int wrong = 0;
  for (std::size_t i = 0; i < timers; ++i) {
    wrong += delivered[i] + cancelled[i] != 1;
  }
  BOOST_TEST(wrong == 0);
  BOOST_TEST(counted::alive == 0);
  BOOST_TEST(counted::ends == timers);
}

BOOST_AUTO_TEST_SUITE_END()
