// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#define BOOST_TEST_MODULE preempt
#include <boost/test/unit_test.hpp>

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace {

// Never waits, never yields, never calls checkpoint(); ends when told.
void allocate_until(const bool& told) {
  for (long i = 0; i < 100'000'000 && !told; ++i) {
    auto p = std::make_unique<long>(i);
    asm volatile("" : : "g"(p.get()) : "memory"); // the compiler may not drop the pair
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(an_actor_that_allocates_lets_others_run, *boost::unit_test::timeout(60)) {
  smarm::runtime rt({.schedulers = 1, .timeslice_cycles = 1000});
  bool told = false;
  bool was_told = false;
  rt.run([&] {
    auto hog = smarm::spawn([&] {
      allocate_until(told);
      was_told = told;
    });
    auto other = smarm::spawn([&] { told = true; });
    (void)hog.join();
    (void)other.join();
  });
  BOOST_TEST(was_told);
  BOOST_TEST(rt.stats().overruns > 0U);
}

BOOST_AUTO_TEST_CASE(no_preempt_keeps_the_processor) {
  smarm::runtime rt({.schedulers = 1, .timeslice_cycles = 1000});
  bool other_ran = false;
  bool seen_inside = true;
  rt.run([&] {
    auto other = smarm::spawn([&] { other_ran = true; });
    {
      const smarm::no_preempt alone;
      for (int i = 0; i < 100'000; ++i) {
        auto p = std::make_unique<int>(i);
        asm volatile("" : : "g"(p.get()) : "memory");
      }
      seen_inside = other_ran;
    }
    (void)other.join();
  });
  BOOST_TEST(!seen_inside);
  BOOST_TEST(other_ran);
}

BOOST_AUTO_TEST_CASE(an_allocation_never_raises_a_stop) {
  smarm::runtime rt({.schedulers = 1,
                     .timeslice_cycles = 1000,
                     .reports = [](const smarm::report&) {}});
  bool survived = false;
  smarm::exit_status how;
  rt.run([&] {
    auto h = smarm::spawn([&] {
      (void)smarm::request_stop(smarm::this_actor::self());
      for (int i = 0; i < 100'000; ++i) {
        auto p = std::make_unique<int>(i);
        asm volatile("" : : "g"(p.get()) : "memory");
      }
      survived = true;
      smarm::this_actor::checkpoint();
      survived = false;
    });
    how = h.join();
  });
  BOOST_TEST(survived);
  BOOST_TEST(how.kind() == smarm::exit_kind::stopped);
}

// So that each of the library's own allocations is, in some round, the one that the slice ends at.
BOOST_AUTO_TEST_CASE(the_librarys_own_allocations_are_no_checkpoints,
                     *boost::unit_test::timeout(60)) {
  smarm::runtime rt({.schedulers = 1, .timeslice_cycles = 1000});
  const smarm::runtime_handle handle = rt.handle();
  constexpr int actors = 4;
  constexpr int rounds = 200;
  int spawned = 0;
  rt.run([&] {
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < actors; ++i) {
      all.push_back(smarm::spawn([&, i] {
        std::vector<smarm::join_handle> mine;
        mine.reserve(2 * rounds);
        for (int round = 0; round < rounds; ++round) {
          for (int k = 0; k < (round + i) % 40; ++k) {
            auto p = std::make_unique<int>(k);
            asm volatile("" : : "g"(p.get()) : "memory");
          }
          mine.push_back(smarm::spawn({.label = "a label that is longer than a short string",
                                       .stack_size = std::size_t{32} << 10},
                                      [] { smarm::this_actor::yield(); }));
          mine.push_back(handle.spawn([] { smarm::this_actor::yield(); }));
        }
        for (auto& h : mine) {
          spawned += h.join().is_clean();
        }
      }));
    }
    for (auto& h : all) {
      (void)h.join();
    }
  });
  BOOST_TEST(spawned == 2 * actors * rounds);
}
