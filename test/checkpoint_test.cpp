// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Checkpoints: they give way when the slice is used up and not before, and count that they did.

#define BOOST_TEST_MODULE checkpoint
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/detail/cycles.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>

#include <atomic>
#include <cstdint>
#include <string>

using namespace smarm_test;
namespace this_actor = smarm::this_actor;

namespace {

constexpr std::uint64_t no_slice_ends = std::uint64_t{1} << 62;
constexpr std::uint64_t shortest_slice = 1000;

smarm::config sliced(std::uint64_t cycles) { return {.schedulers = 1, .timeslice_cycles = cycles}; }

// Long enough for several of the shortest slices, whatever else the machine does.
void compute(std::uint64_t cycles = 50 * shortest_slice) {
  const std::uint64_t begin = smarm::detail::cycles_now();
  while (smarm::detail::cycles_now() - begin < cycles) {
    this_actor::checkpoint();
  }
}

// The same without a checkpoint.
void work(std::uint64_t cycles) {
  const std::uint64_t begin = smarm::detail::cycles_now();
  while (smarm::detail::cycles_now() - begin < cycles) {
  }
}

std::uint32_t own_overruns() { return smarm::detail::current_scheduler()->current->overruns; }

} // namespace

BOOST_AUTO_TEST_SUITE(checkpoint_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(within_its_slice_an_actor_is_not_interrupted) {
  recorder seen;
  smarm::runtime rt(sliced(no_slice_ends));
  rt.run([&] {
    auto other = smarm::spawn([&] { seen.note("other"); });
    for (int i = 0; i < 100'000; ++i) {
      this_actor::checkpoint();
    }
    seen.note("root");
    (void)other.join();
  });
  CHECK_LIST(seen.all(), {"root", "other"});
  BOOST_TEST(rt.stats().overruns == 0u);
}

BOOST_AUTO_TEST_CASE(after_its_slice_it_gives_way) {
  recorder seen;
  smarm::runtime rt(sliced(shortest_slice));
  rt.run([&] {
    auto other = smarm::spawn([&] { seen.note("other"); });
    compute();
    seen.note("root");
    (void)other.join();
  });
  CHECK_LIST(seen.all(), {"other", "root"});
  BOOST_TEST(rt.stats().overruns > 0u);
}

BOOST_AUTO_TEST_CASE(checkpoints_far_apart_give_way_soon_too) {
  int before_another = 0;
  int before_another_again = 0;
  smarm::runtime rt(sliced(shortest_slice));
  rt.run([&] {
    // Leaves the scheduler in the middle of a series of checkpoints without a reading.
    for (int i = 0; i < 100; ++i) {
      this_actor::checkpoint();
    }
    const auto checkpoints_before_another = [] {
      bool had_its_turn = false;
      auto other = smarm::spawn([&] { had_its_turn = true; });
      this_actor::yield(); // which begins a slice
      auto another = smarm::spawn([&] { had_its_turn = true; });
      had_its_turn = false;
      int count = 0;
      while (!had_its_turn) {
        work(2 * shortest_slice);
        this_actor::checkpoint();
        ++count;
      }
      (void)other.join();
      (void)another.join();
      return count;
    };
    before_another = checkpoints_before_another();
    before_another_again = checkpoints_before_another();
  });
  BOOST_TEST(before_another <= 7);
  BOOST_TEST(before_another_again <= 4);
}

BOOST_AUTO_TEST_CASE(dense_checkpoints_that_become_rare_are_noticed) {
  int count = 0;
  smarm::runtime rt(sliced(1'000'000));
  rt.run([&] {
    bool had_its_turn = false;
    for (int i = 0; i < 1000; ++i) {
      this_actor::checkpoint();
    }
    auto other = smarm::spawn([&] { had_its_turn = true; });
    while (!had_its_turn) {
      work(1'000'000);
      this_actor::checkpoint();
      ++count;
    }
    (void)other.join();
  });
  BOOST_TEST(count <= 16);
}

BOOST_AUTO_TEST_CASE(those_that_compute_share_one_scheduler) {
  std::atomic<int> done{0};
  smarm::runtime rt(sliced(shortest_slice));
  rt.run([&] {
    // Each waits, without ever waiting, for what the next one does.
    constexpr int count = 5;
    std::atomic<int> turn{count - 1};
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < count; ++i) {
      all.push_back(smarm::spawn([&, i] {
        while (turn != i) {
          this_actor::checkpoint();
        }
        --turn;
        ++done;
      }));
    }
    for (auto& h : all) {
      (void)h.join();
    }
  });
  BOOST_TEST(done == 5);
}

BOOST_AUTO_TEST_CASE(an_actor_that_is_alone_overruns_and_goes_on) {
  std::uint64_t switches = 0;
  smarm::runtime rt(sliced(shortest_slice));
  rt.run([&] {
    const auto& mine = *smarm::detail::current_scheduler();
    const std::uint64_t before = mine.switches.value();
    compute();
    switches = mine.switches.value() - before;
  });
  BOOST_TEST(switches == 0u);
  BOOST_TEST(rt.stats().overruns > 0u);
}

BOOST_AUTO_TEST_CASE(overruns_are_counted_for_who_made_them) {
  std::uint32_t computing = 0;
  std::uint32_t computing_more = 0;
  std::uint32_t idle = 1;
  std::uint32_t next_tenant = 1;
  smarm::runtime rt(sliced(shortest_slice));
  rt.run([&] {
    (void)smarm::spawn([&] {
      compute();
      computing = own_overruns();
      compute();
      computing_more = own_overruns();
    }).join();
    (void)smarm::spawn([&] { next_tenant = own_overruns(); }).join(); // of the same slot
    idle = own_overruns();
  });
  BOOST_TEST(computing > 0u);
  BOOST_TEST(computing_more > computing);
  BOOST_TEST(next_tenant == 0u);
  BOOST_TEST(idle == 0u);
  BOOST_TEST(rt.stats().overruns == computing_more);
}

BOOST_AUTO_TEST_CASE(no_preempt_keeps_the_processor_and_its_end_gives_it_back) {
  recorder seen;
  smarm::runtime rt(sliced(shortest_slice));
  rt.run([&] {
    auto other = smarm::spawn([&] { seen.note("other"); });
    {
      const smarm::no_preempt outer;
      {
        const smarm::no_preempt inner;
        compute();
      }
      compute();
      seen.note("root, alone");
    }
    compute();
    seen.note("root");
    (void)other.join();
  });
  CHECK_LIST(seen.all(), {"root, alone", "other", "root"});
}

BOOST_AUTO_TEST_CASE(no_preempt_does_not_keep_it_from_yielding_by_itself) {
  recorder seen;
  smarm::runtime rt(sliced(no_slice_ends));
  rt.run([&] {
    auto other = smarm::spawn([&] { seen.note("other"); });
    {
      const smarm::no_preempt calm;
      this_actor::yield();
    }
    seen.note("root");
    (void)other.join();
  });
  CHECK_LIST(seen.all(), {"other", "root"});
}

BOOST_AUTO_TEST_SUITE_END()
