// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Once the root has ended, those whose parents die are asked to shut down too, whether or not a
// scheduler ever comes to rest meanwhile.

#define BOOST_TEST_MODULE sweep
#include <boost/test/unit_test.hpp>

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <cstdint>
#include <vector>

namespace {

void spin(std::atomic<int>& at_work) {
  ++at_work;
  for (;;) {
    smarm::this_actor::yield();
  }
}

// The root ends; its child waits for grandchildren, more than there are schedulers, that never wait.
void leave_busy_grandchildren(unsigned schedulers) {
  const int grandchildren = static_cast<int>(schedulers) + 1;
  std::atomic<int> at_work{0};
  smarm::runtime rt({.schedulers = schedulers});
  rt.run([&] {
    (void)smarm::spawn([&] {
      std::vector<smarm::join_handle> all;
      for (int i = 0; i < grandchildren; ++i) {
        all.push_back(smarm::spawn([&] { spin(at_work); }));
      }
      for (auto& each : all) {
        (void)each.join();
      }
    });
    while (at_work != grandchildren) {
      smarm::this_actor::yield();
    }
  });
  const auto stats = rt.stats();
  BOOST_TEST(stats.spawned == static_cast<std::uint64_t>(grandchildren) + 2);
  BOOST_TEST(stats.ended == stats.spawned);
}

} // namespace

BOOST_AUTO_TEST_CASE(busy_descendants_are_asked_by_their_only_scheduler) {
  leave_busy_grandchildren(1);
}

BOOST_AUTO_TEST_CASE(busy_descendants_are_asked_by_some_scheduler) {
  leave_busy_grandchildren(2);
}
