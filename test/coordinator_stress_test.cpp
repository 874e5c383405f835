// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Work of every kind at once, on more schedulers than processors: each item is handled once, and
// the test ends, which it would not do if a wake were lost.

#define BOOST_TEST_MODULE coordinator_stress
#include <boost/test/unit_test.hpp>

#include "idle_rig.hpp"

#include <atomic>
#include <thread>
#include <vector>

using namespace smarm_test;
using smarm::detail::linux_futex;

namespace {

// Items count down; each makes two of the next kind, one of them in one of four ways.
long storm(unsigned schedulers, const idle_options& options, int injectors, int items, int depth) {
  std::atomic<long> handled{0};
  std::atomic<unsigned> turn{0};
  idle_rig rig(schedulers, options);
  rig.start([&](unsigned id, int item) {
    const int kind = item < 0 ? -1 - item : item; // a timer's number counts on
    if (kind > 0) {
      rig.message(id, kind - 1);
      switch (turn.fetch_add(1) % 4) {
      case 0:
        rig.message(id, kind - 1);
        break;
      case 1:
        rig.inject(kind - 1);
        break;
      case 2:
        rig.arm_own(id, linux_futex::now() + 20'000, kind - 1);
        break;
      default:
        rig.arm((id + 1) % schedulers, linux_futex::now() + 20'000, kind - 1);
        break;
      }
    }
    handled.fetch_add(1);
  });
  std::vector<std::thread> threads;
  for (int i = 0; i < injectors; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < items; ++n) {
        rig.inject(depth);
        if (n % 8 == 0) {
          std::this_thread::sleep_for(std::chrono::microseconds(50)); // lets them fall asleep
        }
      }
    });
  }
  for (auto& t : threads) {
    t.join();
  }
  const long expected = static_cast<long>(injectors) * items * ((2L << depth) - 1);
  rig.wait_until([&] { return handled.load() >= expected; });
  rig.wait_until_quiet();
  rig.stop();
  return handled.load() - expected;
}

} // namespace

BOOST_AUTO_TEST_SUITE(coordinator_stress_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(alone) { BOOST_TEST(storm(1, {}, 2, 400, 3) == 0); }
BOOST_AUTO_TEST_CASE(two) { BOOST_TEST(storm(2, {}, 2, 400, 3) == 0); }
BOOST_AUTO_TEST_CASE(four) { BOOST_TEST(storm(4, {}, 2, 400, 3) == 0); }
BOOST_AUTO_TEST_CASE(eight) { BOOST_TEST(storm(8, {}, 2, 200, 3) == 0); }
BOOST_AUTO_TEST_CASE(nobody_searches) { BOOST_TEST(storm(4, {.spin_ns = 0}, 2, 400, 3) == 0); }
BOOST_AUTO_TEST_CASE(nobody_stands_by) {
  BOOST_TEST(storm(4, {.standby_first_ns = 0}, 2, 400, 3) == 0);
}
BOOST_AUTO_TEST_CASE(what_is_not_woken_stays_asleep) {
  BOOST_TEST(storm(4, never_looks, 2, 400, 3) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
