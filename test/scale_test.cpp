// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Many actors at once, each waiting on a stack of its own. Far more: stress/scale_stress.cpp.

#define BOOST_TEST_MODULE scale
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace this_actor = smarm::this_actor;

namespace {

struct counts {
  std::size_t woken = 0;
  std::size_t ended = 0;
  std::size_t stacks = 0;
};

// So many actors sleep at once; then all are asked to go.
counts park_at_once(std::size_t actors, unsigned schedulers, smarm::stack_guard guard) {
  counts out;
  std::atomic<std::size_t> asleep{0};
  smarm::runtime rt({.schedulers = schedulers,
                     .max_actors = 100'000,
                     .stack_size = 64 * 1024,
                     .guard = guard,
                     .warm_stacks = 100'000});
  rt.run([&] {
    for (std::size_t i = 0; i < actors; ++i) {
      smarm::spawn([&] {
        ++asleep;
        this_actor::sleep_for(24h);
      }).detach();
      if (i % 256 == 255) {
        this_actor::yield(); // lets them start while they are few
      }
    }
    until([&] { return asleep == actors; });
    until([&] { return rt.stats().armed_timers == actors; });
    out.woken = asleep;
    out.stacks = rt.stats().stacks_in_use;
  });
  out.ended = rt.stats().ended;
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(scale_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(thirty_thousand_actors_wait_at_once_whatever_the_kernel) {
  // A thread sanitizer keeps half a megabyte for each.
  constexpr std::size_t actors = SMARM_TSAN ? 3'000 : 30'000;
  for (const auto guard : {smarm::stack_guard::automatic, smarm::stack_guard::mapping}) {
    const counts seen = park_at_once(actors, 2, guard);
    BOOST_TEST(seen.woken == actors);
    BOOST_TEST(seen.stacks >= actors);
    BOOST_TEST(seen.ended == actors + 1);
  }
}

BOOST_AUTO_TEST_SUITE_END()
