// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A scheduler's few stacks at hand.

#define BOOST_TEST_MODULE stack_cache
#include <boost/test/unit_test.hpp>

#include <smarm/detail/stack_cache.hpp>

#include <vector>

namespace {

using namespace smarm::detail;

struct fixture {
  stack_pool pool;
  stack_cache cache{pool};

  std::vector<stack*> take(std::size_t count) {
    std::vector<stack*> taken;
    while (taken.size() < count) taken.push_back(cache.acquire().value());
    return taken;
  }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(an_empty_cache_has_nothing_at_hand_but_gets_it_from_the_pool, fixture) {
  BOOST_TEST(cache.try_acquire() == nullptr);
  stack* const on = cache.acquire().value();
  BOOST_TEST(cache.size() == 0u);
  BOOST_TEST(pool.count().live == 1u);
  cache.release(on);
  BOOST_TEST(cache.size() == 1u);
  BOOST_TEST(cache.try_acquire() == on);
  cache.release(on);
}

BOOST_FIXTURE_TEST_CASE(the_stack_released_last_is_at_hand_first, fixture) {
  auto taken = take(3);
  for (stack* on : taken) cache.release(on);
  BOOST_TEST(cache.try_acquire() == taken[2]);
  BOOST_TEST(cache.try_acquire() == taken[1]);
  BOOST_TEST(cache.try_acquire() == taken[0]);
  for (stack* on : taken) cache.release(on);
}

BOOST_FIXTURE_TEST_CASE(a_new_tenant_finds_fresh_accounts, fixture) {
  stack* const on = cache.acquire().value();
  on->note_park(on->top() - 1000);
  cache.release(on);
  BOOST_TEST(cache.try_acquire() == on);
  BOOST_TEST(on->high_water() == 0u);
  BOOST_TEST(on->parks_since_shrink() == 0u);
  cache.release(on);
}

BOOST_FIXTURE_TEST_CASE(a_full_cache_hands_its_older_half_to_the_pool, fixture) {
  auto taken = take(stack_cache::capacity + 1);
  for (stack* on : taken) cache.release(on);
  BOOST_TEST(cache.size() == stack_cache::capacity / 2 + 1);
  BOOST_TEST(pool.count().warm == stack_cache::capacity / 2);
  // The hottest is still here, and of the older half the pool gives its hottest first.
  BOOST_TEST(cache.try_acquire() == taken.back());
  stack* const from_pool = pool.acquire().value();
  BOOST_TEST(from_pool == taken[stack_cache::capacity / 2 - 1]);
  cache.release(taken.back());
  cache.release(from_pool);
}

BOOST_FIXTURE_TEST_CASE(an_empty_cache_takes_several_released_stacks_at_a_time, fixture) {
  auto taken = take(40);
  for (stack* on : taken) pool.release(on);
  BOOST_TEST(cache.acquire().value() == taken.back());
  BOOST_TEST(cache.size() == stack_cache::at_once - 1);
  BOOST_TEST(cache.try_acquire() == taken[38]);
  cache.release(taken[38]);
  cache.release(taken.back());
}

BOOST_FIXTURE_TEST_CASE(stacks_of_other_shapes_pass_through, fixture) {
  const stack_shape shape{512 * 1024, 64 * 1024};
  stack* const on = cache.acquire(shape).value();
  BOOST_TEST((on->shape() == shape));
  cache.release(on);
  BOOST_TEST(cache.size() == 0u);
  BOOST_TEST(pool.count().spare == 1u);
  stack* const ordinary = cache.acquire(stack_shape{}).value();
  BOOST_TEST(ordinary->pooled());
  cache.release(ordinary);
  BOOST_TEST(cache.size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_flushed_cache_leaves_nothing_out_of_the_pool, fixture) {
  for (stack* on : take(5)) cache.release(on);
  BOOST_TEST(pool.count().live == 5u);
  cache.flush();
  BOOST_TEST(cache.size() == 0u);
  BOOST_TEST(pool.count().live == 0u);
  BOOST_TEST(pool.count().warm == 5u);
}
