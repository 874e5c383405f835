// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The pool: order of reuse, growth, both kinds of guard, their limits, and other shapes.

#define BOOST_TEST_MODULE stack_pool
#include <boost/test/unit_test.hpp>

#include "memory.hpp"

#include <smarm/detail/stack_pool.hpp>
#include <smarm/error.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace smarm::detail;
using smarm_test::readable;

constexpr std::size_t kib = 1024;

std::vector<stack*> take(stack_pool& pool, std::size_t count) {
  std::vector<stack*> taken;
  taken.reserve(count);
  while (taken.size() < count) {
    auto one = pool.acquire();
    if (!one) break;
    taken.push_back(*one);
  }
  return taken;
}

void give(stack_pool& pool, std::vector<stack*>& taken) {
  for (stack* on : taken) pool.release(on);
  taken.clear();
}

bool guarded(const stack& on) {
  return !readable(on.low() - 1) && !readable(on.low() - on.shape().guard) && readable(on.low());
}

bool kernel_has_guard_regions() {
  stack_pool pool;
  pool.release(pool.acquire().value());
  return pool.guard() == guard_method::guard_region;
}

std::size_t most_mappings() {
  std::size_t most = 0;
  std::ifstream("/proc/sys/vm/max_map_count") >> most;
  return most;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_stack_released_last_is_taken_first) {
  stack_pool pool;
  auto taken = take(pool, 3);
  for (stack* on : taken) pool.release(on);
  BOOST_TEST(pool.count().warm == 3u);
  BOOST_TEST(pool.acquire().value() == taken[2]);
  BOOST_TEST(pool.acquire().value() == taken[1]);
  BOOST_TEST(pool.acquire().value() == taken[0]);
  BOOST_TEST(pool.count().live == 3u);
  give(pool, taken);
}

BOOST_AUTO_TEST_CASE(stacks_of_several_slabs_do_not_overlap_and_are_all_guarded) {
  for (const guard_method method : {guard_method::automatic, guard_method::mapping}) {
    stack_pool pool({.shape = {16 * kib, 16 * kib}, .guard = method});
    auto taken = take(pool, 200);
    BOOST_TEST_REQUIRE(taken.size() == 200u);
    BOOST_TEST((pool.guard() != guard_method::automatic));
    if (method != guard_method::automatic) BOOST_TEST((pool.guard() == method));
    std::sort(taken.begin(), taken.end());
    for (std::size_t i = 0; i < taken.size(); ++i) {
      BOOST_TEST(guarded(*taken[i]));
      if (i > 0) {
        const auto apart = static_cast<std::size_t>(taken[i]->low() - taken[i - 1]->low());
        BOOST_TEST(apart >= 32 * kib);
      }
    }
    give(pool, taken);
  }
}

BOOST_AUTO_TEST_CASE(a_stack_beyond_the_warm_ones_keeps_no_page_but_keeps_its_guard) {
  stack_pool pool({.warm = 2});
  auto taken = take(pool, 3);
  stack* const cold = taken[2];
  std::byte* const low = cold->low();
  std::memset(low, 1, 64 * kib);
  give(pool, taken);
  BOOST_TEST(pool.count().warm == 2u);
  taken = take(pool, 3);
  BOOST_TEST_REQUIRE(taken.size() == 3u);
  BOOST_TEST(taken[2] == cold);
  BOOST_TEST(cold->low() == low);
  BOOST_TEST(cold->resident() <= 2 * page_size());
  BOOST_TEST(guarded(*cold));
  BOOST_TEST(cold->context == nullptr);
  give(pool, taken);
}

BOOST_AUTO_TEST_CASE(forty_thousand_stacks_are_live_at_once_where_guards_need_no_mapping) {
  if (!kernel_has_guard_regions()) {
    BOOST_TEST_MESSAGE("this kernel has no guard regions");
    return;
  }
  stack_pool pool;
  auto taken = take(pool, 40'000);
  BOOST_TEST(taken.size() == 40'000u);
  BOOST_TEST(guarded(*taken.back()));
  give(pool, taken);
  BOOST_TEST(pool.count().live == 0u);
}

BOOST_AUTO_TEST_CASE(running_out_of_mappings_is_an_error_that_names_the_remedy_and_passes) {
#if SMARM_ASAN || SMARM_TSAN
  return; // they need mappings themselves, and give up without
#endif
  const std::size_t most = most_mappings();
  if (most == 0 || most > 200'000) {
    BOOST_TEST_MESSAGE("vm.max_map_count is too high to be reached here");
    return;
  }
  stack_pool pool({.shape = {16 * kib, 4 * kib}, .guard = guard_method::mapping, .warm = 100});
  auto taken = take(pool, most);
  BOOST_TEST(taken.size() > most / 2 - 1000);
  BOOST_TEST(taken.size() <= most / 2);
  const auto refused = pool.acquire();
  const auto refused_shape = pool.acquire({64 * kib, 4 * kib});
  BOOST_TEST(refused.has_error());
  BOOST_TEST((refused.error() == smarm::errc::out_of_stacks));
  BOOST_TEST((refused_shape.error() == smarm::errc::out_of_stacks));
  BOOST_TEST(pool.count().live == taken.size());

  // One comes back, one goes out: at the limit, with and without pages.
  stack* const last = taken.back();
  pool.release(last);
  BOOST_TEST(pool.acquire().value() == last);
  std::vector<stack*> half(taken.begin(), taken.begin() + 1000);
  taken.erase(taken.begin(), taken.begin() + 1000);
  give(pool, half);
  half = take(pool, 1000);
  BOOST_TEST(half.size() == 1000u);
  BOOST_TEST(std::all_of(half.begin(), half.end(), [](stack* on) { return guarded(*on); }));
  const auto refused_again = pool.acquire();
  give(pool, half);
  give(pool, taken);
  BOOST_TEST(refused_again.has_error());
  const std::string message = refused_again.error().message();
  BOOST_TEST(message.find("vm.max_map_count") != std::string::npos, message);
}

BOOST_AUTO_TEST_CASE(a_limit_on_address_space_is_the_same_error) {
#if SMARM_ASAN || SMARM_TSAN
  return; // their own memory is beyond any limit
#endif
  rlimit before{};
  BOOST_TEST_REQUIRE(::getrlimit(RLIMIT_AS, &before) == 0);
  std::size_t used = 0;
  std::ifstream("/proc/self/statm") >> used;
  stack_pool pool;
  rlimit tight = before;
  tight.rlim_cur = (used * page_size()) + 8 * 1024 * kib;
  BOOST_TEST_REQUIRE(::setrlimit(RLIMIT_AS, &tight) == 0);
  std::vector<stack*> taken;
  boost::system::error_code why;
  for (int i = 0; i < 100; ++i) {
    auto one = pool.acquire();
    if (!one) {
      why = one.error();
      break;
    }
    taken.push_back(*one);
  }
  BOOST_TEST_REQUIRE(::setrlimit(RLIMIT_AS, &before) == 0);
  BOOST_TEST((why == smarm::errc::out_of_stacks));
  // A whole first slab does not fit, smaller ones do.
  BOOST_TEST(taken.size() > 8u);
  BOOST_TEST(pool.acquire().has_value());
  pool.release(taken.back());
  give(pool, taken);
}

BOOST_AUTO_TEST_CASE(a_shape_that_no_address_space_holds_is_an_error) {
  stack_pool pool;
  BOOST_TEST((pool.acquire({SIZE_MAX, 4 * kib}).error() == smarm::errc::out_of_stacks));
  BOOST_TEST((pool.acquire({4 * kib, SIZE_MAX}).error() == smarm::errc::out_of_stacks));
  stack_pool absurd({.shape = {SIZE_MAX, SIZE_MAX}});
  BOOST_TEST((absurd.acquire().error() == smarm::errc::out_of_stacks));
}

BOOST_AUTO_TEST_CASE(other_shapes_have_the_size_asked_for_and_never_enter_the_pool) {
  stack_pool pool;
  const stack_shape big{1024 * kib, 128 * kib};
  stack* const on = pool.acquire(big).value();
  BOOST_TEST(!on->pooled());
  BOOST_TEST((on->shape() == big));
  BOOST_TEST(on->size() > 1020 * kib);
  BOOST_TEST(guarded(*on));
  pool.release(on);
  BOOST_TEST(pool.count().warm == 0u);
  stack* const ordinary = pool.acquire().value();
  BOOST_TEST(ordinary->pooled());
  BOOST_TEST(ordinary != on);
  pool.release(ordinary);
}

BOOST_AUTO_TEST_CASE(a_shape_that_rounds_to_the_default_is_the_default) {
  stack_pool pool({.shape = {100 * kib, 10 * kib}});
  stack* const on = pool.acquire({100 * kib - 1, 12 * kib}).value();
  BOOST_TEST(on->pooled());
  pool.release(on);
  BOOST_TEST(pool.count().warm == 1u);
}

BOOST_AUTO_TEST_CASE(a_few_of_other_shapes_are_kept_for_the_same_shape_only) {
  stack_pool pool({.spare = 1});
  const stack_shape shape{512 * kib, 64 * kib};
  stack* const first = pool.acquire(shape).value();
  stack* const second = pool.acquire(shape).value();
  const std::byte* const second_low = second->low();
  pool.release(first);
  pool.release(second); // one too many
  BOOST_TEST(pool.count().spare == 1u);
  BOOST_TEST(!readable(second_low));
  stack* const wider = pool.acquire({768 * kib, 64 * kib}).value();
  BOOST_TEST(wider != first);
  BOOST_TEST(pool.acquire(shape).value() == first);
  pool.release(first);
  pool.release(wider);
}

BOOST_AUTO_TEST_CASE(memory_goes_back_with_the_pool) {
  const std::byte* low = nullptr;
  const std::byte* low_of_other = nullptr;
  {
    stack_pool pool;
    stack* const on = pool.acquire().value();
    stack* const other = pool.acquire({512 * kib, 64 * kib}).value();
    low = on->low();
    low_of_other = other->low();
    pool.release(on);
    pool.release(other);
    BOOST_TEST(readable(low));
  }
  BOOST_TEST(!readable(low));
  BOOST_TEST(!readable(low_of_other));
}

BOOST_AUTO_TEST_CASE(several_threads_never_hold_the_same_stack) {
  stack_pool pool({.shape = {16 * kib, 4 * kib}, .warm = 8});
  std::vector<int> mixed_up(4);
  std::vector<std::thread> threads;
  for (std::size_t id = 0; id < mixed_up.size(); ++id) {
    threads.emplace_back([&, id] {
      for (int round = 0; round < 300; ++round) {
        auto taken = take(pool, 1 + static_cast<std::size_t>(round) % 7);
        if (round % 16 == 0) taken.push_back(pool.acquire({32 * kib, 4 * kib}).value());
        for (stack* on : taken) std::memset(on->low(), static_cast<int>(id), 100);
        for (stack* on : taken) {
          if (on->low()[99] != static_cast<std::byte>(id)) ++mixed_up[id];
        }
        give(pool, taken);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(mixed_up == std::vector<int>(4), boost::test_tools::per_element());
  BOOST_TEST(pool.count().live == 0u);
}
