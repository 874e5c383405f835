// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Messages that are sent later: when they come, in which order, and what they may be.

#define BOOST_TEST_MODULE send_after
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
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::send_after;
using smarm::send_at;
using smarm::timer_id;
using std::chrono::steady_clock;

BOOST_AUTO_TEST_SUITE(send_after_suite, *boost::unit_test::timeout(120))

// ---- sending

BOOST_AUTO_TEST_CASE(a_message_comes_when_its_time_has_come_and_not_before) {
  int got = 0;
  bool early = true;
  bool pending = true;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    const auto begin = steady_clock::now();
    const timer_id id = send_after(2ms, tx, 42);
    pending = id.pending();
    got = rx.recv().value();
    early = steady_clock::now() - begin < 2ms;
    pending = pending && !id.pending();
  });
  BOOST_TEST(got == 42);
  BOOST_TEST(!early);
  BOOST_TEST(pending);
}

BOOST_AUTO_TEST_CASE(messages_come_by_deadline_and_equal_ones_in_the_order_of_arming) {
  std::vector<int> got;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    const auto base = steady_clock::now() + 1ms;
    for (const int late : {3, 1, 2, 0}) {
      for (int i = 0; i < 3; ++i) {
        (void)send_at(base + late * 100us, tx, late * 10 + i);
      }
    }
    tx = {};
    while (auto message = rx.recv()) {
      got.push_back(*message);
    }
  });
  CHECK_LIST(got, {0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, 32});
}

// Whoever looks at the clock fires every scheduler's timers.
BOOST_AUTO_TEST_CASE(the_order_is_kept_though_several_schedulers_fire) {
  std::atomic<bool> over{false};
  int received = 0;
  int out_of_order = 0;
  smarm::runtime rt({.schedulers = 4, .poll_cycles = 2000});
  rt.run([&] {
    std::vector<smarm::join_handle> busy;
    for (unsigned i = 0; i < 4; ++i) {
      busy.push_back(smarm::spawn({.pinned_to = i}, [&] {
        while (!over) {
          smarm::this_actor::yield();
        }
      }));
    }
    auto arming = smarm::spawn({.pinned_to = 0}, [&] {
      for (int round = 0; round < 100; ++round) {
        auto [tx, rx] = smarm::channel<int>();
        const auto base = steady_clock::now() + 200us;
        for (int i = 0; i < 500; ++i) {
          (void)send_at(base + i * 1us, tx, int(i));
        }
        tx = {};
        int last = -1;
        while (const auto message = rx.recv()) {
          ++received;
          out_of_order += *message < std::exchange(last, *message);
        }
      }
    });
    (void)arming.join();
    over = true;
    for (auto& h : busy) {
      (void)h.join();
    }
  });
  BOOST_TEST(received == 100 * 500);
  BOOST_TEST(out_of_order == 0);
}

BOOST_AUTO_TEST_CASE(timers_and_sleeps_go_by_the_same_order) {
  strings seen;
  smarm::run([&] {
    bool in_time = false;
    // Until all three are waiting before the first is due.
    for (auto lead = 1ms; !in_time; lead *= 2) {
      seen.clear();
      const auto base = steady_clock::now() + lead;
      auto [tx, rx] = smarm::channel<int>();
      const auto sleep_until = [&seen, base](std::chrono::microseconds late, const char* name) {
        return smarm::spawn([&seen, base, late, name] {
          smarm::this_actor::sleep_until(base + late);
          seen.emplace_back(name);
        });
      };
      auto first = sleep_until(0us, "first");
      auto receiving = smarm::spawn([&, rx = std::move(rx)]() mutable {
        (void)rx.recv();
        seen.emplace_back("receiver");
      });
      auto last = sleep_until(200us, "last");
      (void)send_at(base + 100us, tx, 1);
      smarm::this_actor::yield();
      in_time = parked(first.id()) && parked(receiving.id()) && parked(last.id()) &&
                steady_clock::now() < base;
      (void)first.join();
      (void)receiving.join();
      (void)last.join();
    }
  });
  CHECK_LIST(seen, {"first", "receiver", "last"});
}

BOOST_AUTO_TEST_CASE(no_delay_and_a_past_deadline_are_due_at_once) {
  int sum = 0;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    (void)send_after(0ms, tx, 1);
    (void)send_after(-5h, tx, 2);
    (void)send_at(steady_clock::time_point{}, tx, 4);
    (void)send_at(steady_clock::now() - 1s, tx, 8);
    for (int i = 0; i < 4; ++i) {
      sum += rx.recv().value();
    }
  });
  BOOST_TEST(sum == 15);
}

BOOST_AUTO_TEST_CASE(delays_of_any_kind_work_and_one_beyond_time_never_ends) {
  std::vector<int> cancelled;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    for (const timer_id& id :
         {send_after(std::chrono::hours::max(), tx, 1), send_after(std::chrono::years(200), tx, 1),
          send_after(std::chrono::duration<double>(1e300), tx, 1),
          send_at(steady_clock::time_point::max(), tx, 1)}) {
      smarm::this_actor::yield();
      cancelled.push_back(cancel(id));
    }
  });
  CHECK_LIST(cancelled, {true, true, true, true});
}

BOOST_AUTO_TEST_CASE(messages_may_be_move_only_large_and_over_aligned) {
  int sum = 0;
  bool placed = false;
  smarm::run([&] {
    auto [a, from_a] = smarm::channel<std::unique_ptr<int>>();
    auto [b, from_b] = smarm::channel<large>();
    auto [c, from_c] = smarm::channel<over_aligned>();
    (void)send_after(1us, a, std::make_unique<int>(1));
    (void)send_after(1us, b, {.value = 2, .rest = {}});
    (void)send_after(1us, c, over_aligned(4));
    sum = *from_a.recv().value() + from_b.recv().value().value;
    const auto last = from_c.recv();
    sum += last->value;
    placed = last->placed;
    (void)cancel(send_after(1h, c, over_aligned(4)));
  });
  BOOST_TEST(sum == 7);
  BOOST_TEST(placed);
}

BOOST_AUTO_TEST_CASE(whatever_can_be_tried_to_send_to_will_do_and_is_asked_at_the_fire) {
  std::vector<int> got;
  const auto reports = reports_of([&] {
    for (const errc missing : {errc{}, errc::closed, errc::no_process, errc::unresolved,
                               errc::no_channel, errc::no_member}) {
      (void)send_after(1us, other_destination{&got, missing}, 7);
    }
    got.push_back(0);
    until_all_fired();
  });
  CHECK_LIST(got, {0, 7, 7, 7, 7, 7, 7});
  BOOST_TEST(reports.empty()); // that nobody is there is no news
}

BOOST_AUTO_TEST_SUITE_END()
