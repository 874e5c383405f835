// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The wake slot: who goes through it and who does not, and that nobody is lost in it.

#define BOOST_TEST_MODULE wake_slot
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace this_actor = smarm::this_actor;

namespace {

// Pairs that hand a number back and forth; how many round trips were right.
int ping_pong(int pairs, int trips) {
  std::atomic<int> right{0};
  std::vector<smarm::join_handle> all;
  for (int p = 0; p < pairs; ++p) {
    all.push_back(smarm::spawn([&right, trips] {
      tokens ping;
      tokens pong;
      int value = 0;
      auto echo = smarm::spawn([&] {
        for (int i = 0; i < trips; ++i) {
          ping.take();
          ++value;
          pong.give();
        }
      });
      for (int i = 0; i < trips; ++i) {
        ping.give();
        pong.take();
        right += value == i + 1;
      }
      (void)echo.join();
    }));
  }
  for (auto& h : all) {
    (void)h.join();
  }
  return right;
}

smarm::config with_slot(unsigned schedulers) {
  return {.schedulers = schedulers, .wake_slot = true};
}

} // namespace

BOOST_AUTO_TEST_SUITE(wake_slot_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(messages_are_right_with_the_slot_on_one_scheduler) {
  int right = 0;
  smarm::runtime(with_slot(1)).run([&] { right = ping_pong(4, 200); });
  BOOST_TEST(right == 800);
}

BOOST_AUTO_TEST_CASE(messages_are_right_with_the_slot_on_four_schedulers) {
  int right = 0;
  smarm::runtime(with_slot(4)).run([&] { right = ping_pong(8, 200); });
  BOOST_TEST(right == 1600);
}

BOOST_AUTO_TEST_CASE(messages_go_through_the_slot) {
  smarm::runtime rt(with_slot(1));
  rt.run([] { (void)ping_pong(2, 100); });
  BOOST_TEST(rt.stats().wake_slot_hits > 0u);
}

BOOST_AUTO_TEST_CASE(without_the_slot_which_is_the_default_nothing_does) {
  for (const smarm::config& settings : {smarm::config{.schedulers = 1},
                                        smarm::config{.schedulers = 1, .wake_slot = false}}) {
    smarm::runtime rt(settings);
    rt.run([] { (void)ping_pong(2, 100); });
    BOOST_TEST(rt.stats().wake_slot_hits == 0u);
    BOOST_TEST(rt.stats().wake_slot_displacements == 0u);
  }
}

BOOST_AUTO_TEST_CASE(neither_spawns_nor_joins_nor_yields_use_the_slot) {
  smarm::runtime rt(with_slot(1));
  rt.run([] {
    for (int round = 0; round < 20; ++round) {
      std::vector<smarm::join_handle> all;
      for (int i = 0; i < 50; ++i) {
        all.push_back(smarm::spawn([] { this_actor::yield(); }));
      }
      for (auto& h : all) {
        (void)h.join();
      }
    }
  });
  BOOST_TEST(rt.stats().wake_slot_hits == 0u);
  BOOST_TEST(rt.stats().wake_slot_displacements == 0u);
}

BOOST_AUTO_TEST_CASE(neither_do_timers_and_wakes_from_outside) {
  smarm::runtime rt(with_slot(1));
  rt.start();
  tokens gate;
  auto h = rt.handle().spawn([&] {
    for (int i = 0; i < 20; ++i) {
      gate.take();
      this_actor::sleep_for(10us);
    }
  });
  for (int i = 0; i < 20; ++i) {
    gate.give();
  }
  (void)h.join();
  BOOST_TEST(rt.shutdown(1h).empty());
  BOOST_TEST(rt.stats().wake_slot_hits == 0u);
  BOOST_TEST(rt.stats().wake_slot_displacements == 0u);
}

BOOST_AUTO_TEST_CASE(who_is_displaced_goes_to_the_queue_and_runs) {
  recorder seen;
  smarm::runtime rt(with_slot(1));
  rt.run([&] {
    tokens one;
    tokens two;
    auto first = smarm::spawn([&] { one.take(); seen.note("first"); });
    auto second = smarm::spawn([&] { two.take(); seen.note("second"); });
    auto bystander = smarm::spawn([] {});
    this_actor::yield(); // both wait
    auto queued = smarm::spawn([&] { seen.note("queued before"); });
    one.give();
    two.give(); // the newest goes first
    for (auto* h : {&first, &second, &bystander, &queued}) {
      (void)h->join();
    }
  });
  CHECK_LIST(seen.all(), {"second", "queued before", "first"});
  BOOST_TEST(rt.stats().wake_slot_displacements == 1u);
  BOOST_TEST(rt.stats().wake_slot_hits == 1u);
}

BOOST_AUTO_TEST_CASE(the_counters_begin_anew_with_each_run) {
  smarm::runtime rt(with_slot(1));
  rt.run([] { (void)ping_pong(2, 100); });
  BOOST_TEST(rt.stats().wake_slot_hits > 0u);
  rt.run([] { (void)smarm::spawn([] {}).join(); });
  BOOST_TEST(rt.stats().wake_slot_hits == 0u);
  BOOST_TEST(rt.stats().wake_slot_displacements == 0u);
}

BOOST_AUTO_TEST_CASE(two_that_keep_waking_each_other_do_not_starve_the_queue) {
  bool had_its_turn = false;
  smarm::runtime rt(with_slot(1));
  rt.run([&] {
    std::atomic<bool> over{false};
    tokens ping;
    tokens pong;
    auto echo = smarm::spawn([&] {
      while (!over) {
        ping.take();
        pong.give();
      }
    });
    auto player = smarm::spawn([&] {
      while (!over) { // ends by the third only
        ping.give();
        pong.take();
      }
      ping.give();
    });
    auto third = smarm::spawn([&] {
      had_its_turn = true;
      over = true;
    });
    for (auto* h : {&third, &player, &echo}) {
      (void)h->join();
    }
  });
  BOOST_TEST(had_its_turn);
}

BOOST_AUTO_TEST_CASE(a_waker_that_computes_on_lets_the_woken_run_at_its_checkpoints) {
  bool ran = false;
  smarm::runtime rt({.schedulers = 1, .timeslice_cycles = 1000, .wake_slot = true});
  rt.run([&] {
    tokens gate;
    std::atomic<bool> done{false};
    auto woken = smarm::spawn([&] {
      gate.take();
      done = true;
    });
    this_actor::yield();
    gate.give();
    while (!done) {
      this_actor::checkpoint();
    }
    ran = true;
    (void)woken.join();
  });
  BOOST_TEST(ran);
}

BOOST_AUTO_TEST_CASE(a_waker_that_never_gives_way_does_not_hold_up_whom_it_woke) {
  for (int round = 0; round < 30; ++round) {
    smarm::runtime(with_slot(2)).run([&] {
      tokens gate;
      std::atomic<bool> ran{false};
      auto woken = smarm::spawn([&] {
        gate.take();
        ran = true;
      });
      until([&] { return gate.awaited() && parked(woken.id()); });
      gate.give();
      spin_until([&] { return ran.load(); }); // no checkpoint: the other scheduler has to take it
      (void)woken.join();
    });
  }
}

// Owners and thieves at the same slots: nobody is lost, nobody runs twice at a time.
BOOST_AUTO_TEST_CASE(who_stands_in_a_slot_is_taken_once_by_whoever_comes) {
  constexpr int pairs = 8;
  constexpr int trips = SMARM_TSAN ? 300 : 3000;
  std::atomic<int> right{0};
  smarm::runtime rt(with_slot(4));
  rt.run([&] {
    std::vector<smarm::join_handle> all;
    for (int p = 0; p < pairs; ++p) {
      all.push_back(smarm::spawn([&right, p] {
        tokens ping;
        tokens pong;
        int value = 0; // plain: the two take turns
        auto echo = smarm::spawn([&] {
          for (int i = 0; i < trips; ++i) {
            ping.take();
            ++value;
            pong.give();
          }
        });
        for (int i = 0; i < trips; ++i) {
          ping.give();
          for (int n = 0; n < (i + p) % 16 * 500; ++n) { // long enough to be robbed now and then
            smarm::detail::std_atomics::pause();
          }
          pong.take();
          right += value == i + 1;
        }
        (void)echo.join();
      }));
    }
    for (auto& h : all) {
      (void)h.join();
    }
  });
  BOOST_TEST(right == pairs * trips);
}

BOOST_AUTO_TEST_CASE(a_run_does_not_end_while_somebody_stands_in_the_slot) {
  for (const unsigned schedulers : {1u, 4u}) {
    std::atomic<int> ran{0};
    smarm::runtime rt(with_slot(schedulers));
    for (int round = 0; round < 50; ++round) {
      auto gate = std::make_unique<tokens>();
      rt.run([&] {
        auto woken = smarm::spawn([&] {
          const smarm::disable_stop calm;
          gate->take();
          ++ran;
        });
        until([&] { return gate->awaited() && parked(woken.id()); });
        woken.detach();
        gate->give(); // and ends at once
      });
    }
    BOOST_TEST(ran == 50);
  }
}

BOOST_AUTO_TEST_SUITE_END()
