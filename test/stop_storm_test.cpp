// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Many stops at once, against parks, wakes, sleeps and spawns.

#define BOOST_TEST_MODULE stop_storm
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "stopping.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::exit_kind;
using smarm::request_stop;
namespace this_actor = smarm::this_actor;

BOOST_AUTO_TEST_SUITE(stop_storm_suite, *boost::unit_test::timeout(120))

// ---- storms

BOOST_AUTO_TEST_CASE(a_storm_of_stops_leaves_the_runtime_healthy) {
  std::atomic<int> counter{0};
  int ended = 0;
  run_quietly(4, [&] {
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < 200; ++i) {
      all.push_back(smarm::spawn([] {
        for (int n = 0; n < 50; ++n) {
          const std::vector<char> block(64);
          this_actor::checkpoint();
          this_actor::yield();
        }
      }));
    }
    for (std::size_t i = 0; i < all.size(); i += 2) {
      (void)request_stop(all[i].id());
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      const exit_kind how = all[i].join().kind();
      ended += how == exit_kind::normal || (i % 2 == 0 && how == exit_kind::stopped);
    }
    ++counter;
  });
  BOOST_TEST(ended == 200);
  BOOST_TEST(counter == 1);
}

BOOST_AUTO_TEST_CASE(actors_that_stop_themselves_and_then_spawn_leave_the_runtime_healthy) {
  std::atomic<int> counter{0};
  std::atomic<int> grandchildren{0};
  int stopped = 0;
  run_quietly(4, [&] {
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < 64; ++i) {
      all.push_back(smarm::spawn([&, i] {
        for (int n = 0; n < i % 2; ++n) {
          const auto small = std::make_unique<int>(n);
        }
        auto payload = std::make_unique<std::array<char, 64>>();
        stop_self();
        auto grandchild = smarm::spawn([&, p = std::move(payload)] { ++grandchildren; });
        (void)grandchild.join(); // raises; the grandchild runs on
      }));
    }
    for (auto& h : all) {
      stopped += h.join().kind() == exit_kind::stopped;
    }
    until([&] { return grandchildren == 64; });
    ++counter;
  });
  BOOST_TEST(stopped == 64);
  BOOST_TEST(counter == 1);
}

BOOST_AUTO_TEST_CASE(a_stop_against_a_park_whose_deadline_is_past_already) {
  constexpr int actors = 8;
  std::atomic<long> stopped{0};
  smarm::runtime rt(quiet(2));
  rt.start();
  for (int round = 0; round < 50; ++round) {
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < actors; ++i) {
      all.push_back(rt.handle().spawn([] {
        tokens never;
        for (;;) {
          (void)never.take_for(std::chrono::nanoseconds(-1));
        }
      }));
    }
    for (auto& h : all) {
      (void)rt.handle().request_stop(h.id());
    }
    for (auto& h : all) {
      stopped += h.join().kind() == exit_kind::stopped;
    }
  }
  BOOST_TEST(stopped == 50 * actors);
  BOOST_TEST(rt.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(stops_wakes_and_sleeps_of_many_at_once_from_everywhere) {
  constexpr int actors = 300;
  std::atomic<long> lives{0};
  std::atomic<long> ends{0};
  smarm::runtime rt(quiet(4));
  rt.start();
  basic_recorder<smarm::pid> known;
  std::vector<smarm::join_handle> all;
  std::vector<std::unique_ptr<tokens>> gates; // all of them before the first actor picks one
  for (int i = 0; i < actors; ++i) {
    gates.push_back(std::make_unique<tokens>());
  }
  for (int i = 0; i < actors; ++i) {
    all.push_back(rt.handle().spawn([&, i] {
      struct counted {
        std::atomic<long>& of;
        ~counted() { ++of; }
      };
      ++lives;
      const counted end{ends};
      std::minstd_rand pick(static_cast<unsigned>(i) + 1);
      for (;;) {
        switch (pick() % 4) {
        case 0: this_actor::sleep_for(std::chrono::microseconds(pick() % 100)); break;
        case 1: (void)gates[static_cast<std::size_t>(i)]->take_for(
            std::chrono::microseconds(pick() % 100)); break;
        case 2: this_actor::yield(); break;
        case 3: gates[pick() % actors]->give(); break;
        }
      }
    }));
  }
  wait_until([&] { return lives == actors; });
  std::vector<std::thread> stoppers;
  for (int t = 0; t < 2; ++t) {
    stoppers.emplace_back([&, t, handle = rt.handle()] {
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t at = t == 0 ? i : all.size() - 1 - i;
        gates[at]->give();
        (void)handle.request_stop(all[at].id());
      }
    });
  }
  for (auto& s : stoppers) {
    s.join();
  }
  long stopped = 0;
  for (auto& h : all) {
    stopped += h.join().kind() == exit_kind::stopped;
  }
  BOOST_TEST(stopped == actors);
  BOOST_TEST(ends == actors);
  BOOST_TEST(rt.shutdown(1h).empty());
}

BOOST_AUTO_TEST_SUITE_END()
