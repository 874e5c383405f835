// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An idle runtime costs nothing: not a little time now and then, but not one switch of any of its
// threads, however it came to be idle.

#define BOOST_TEST_MODULE idle_cost
#include <boost/test/unit_test.hpp>

#include "idle_rig.hpp"

#include <chrono>
#include <fstream>
#include <map>
#include <string>
#include <thread>

using namespace smarm_test;
using smarm::detail::linux_futex;

namespace {

constexpr unsigned schedulers = 8;

// How often the kernel has switched each scheduler's thread away, of its own will or not.
std::vector<long> switches(idle_rig& rig) {
  std::vector<long> all;
  for (unsigned id = 0; id < schedulers; ++id) {
    std::ifstream status("/proc/self/task/" + std::to_string(rig.thread_id(id)) + "/status");
    long sum = 0;
    for (std::string line; std::getline(status, line);) {
      if (line.find("ctxt_switches:") != std::string::npos) {
        sum += std::stol(line.substr(line.find(':') + 1));
      }
    }
    all.push_back(sum);
  }
  return all;
}

void watch_a_quiet_rig(idle_rig& rig) {
  rig.wait_until_quiet();
  auto before = switches(rig);
  for (;;) { // the bits are set a moment before the threads sleep
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto now = switches(rig);
    if (now == before) {
      break;
    }
    before = now;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300)); // long enough for whoever looks
  BOOST_TEST(switches(rig) == before, boost::test_tools::per_element());
  for (unsigned id = 0; id < schedulers; ++id) {
    BOOST_TEST(before[id] > 0);
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(idle_cost_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(nothing_runs_that_never_had_work) {
  idle_rig rig(schedulers);
  rig.start([](unsigned, int) {});
  watch_a_quiet_rig(rig);
}

BOOST_AUTO_TEST_CASE(nothing_runs_after_a_burst_of_work) {
  std::atomic<int> seen{0};
  idle_rig rig(schedulers);
  rig.start([&](unsigned id, int item) {
    if (item > 0) {
      rig.message(id, item - 1);
      rig.message(id, item - 1);
    }
    ++seen;
  });
  for (int i = 0; i < 10; ++i) {
    rig.inject(6);
  }
  rig.wait_until([&] { return seen.load() == 10 * 127; });
  watch_a_quiet_rig(rig);
}

BOOST_AUTO_TEST_CASE(nothing_runs_while_a_timer_is_far_away) {
  std::atomic<int> fired{0};
  idle_rig rig(schedulers);
  rig.start([&](unsigned, int) { ++fired; });
  rig.arm(3, linux_futex::now() + 3'600'000'000'000, 0);
  rig.arm(2, linux_futex::now() + 1'000'000, 1);
  rig.wait_until([&] { return fired.load() == 1; });
  watch_a_quiet_rig(rig);
  BOOST_TEST(rig.idle().timekeeper() != nobody);
}

BOOST_AUTO_TEST_SUITE_END()
