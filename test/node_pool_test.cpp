// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The node pool: what is given back is handed out again, newest first, up to a bound per size
// class. Under AddressSanitizer nothing is kept, and the bounds are zero.

#define BOOST_TEST_MODULE node_pool
#include <boost/test/unit_test.hpp>

#include <smarm/detail/node_pool.hpp>

#include <cstring>
#include <vector>

namespace {

using smarm::detail::node_pool;

constexpr bool keeps = node_pool::limit_for(1) != 0;

} // namespace

BOOST_AUTO_TEST_CASE(the_block_given_back_last_is_handed_out_first) {
  node_pool pool;
  void* first = node_pool::allocate(&pool, 10);
  void* second = node_pool::allocate(&pool, 24);
  BOOST_TEST(first != second);
  node_pool::release(&pool, first, 10);
  node_pool::release(&pool, second, 24);
  BOOST_TEST(pool.kept(24) == (keeps ? 2u : 0u));
  void* third = node_pool::allocate(&pool, 1);
  if (keeps) BOOST_TEST(third == second);
  node_pool::release(&pool, third, 1);
}

BOOST_AUTO_TEST_CASE(every_size_gets_its_bytes_and_only_small_ones_are_kept) {
  node_pool pool;
  for (std::size_t size : {1u, 24u, 25u, 56u, 57u, 120u, 121u, 248u, 249u, 5000u}) {
    for (int round = 0; round < 2; ++round) {
      void* memory = node_pool::allocate(&pool, size);
      BOOST_TEST_REQUIRE(memory != nullptr);
      std::memset(memory, 0xa5, size);
      node_pool::release(&pool, memory, size);
    }
    BOOST_TEST(pool.kept(size) == (keeps && size <= node_pool::largest ? 1u : 0u));
    pool.clear();
  }
}

BOOST_AUTO_TEST_CASE(classes_do_not_mix) {
  node_pool pool;
  void* small = node_pool::allocate(&pool, 56);
  node_pool::release(&pool, small, 56);
  void* larger = node_pool::allocate(&pool, 57);
  BOOST_TEST(pool.kept(56) == (keeps ? 1u : 0u));
  std::memset(larger, 0, 120);
  node_pool::release(&pool, larger, 57);
  BOOST_TEST(pool.kept(100) == (keeps ? 1u : 0u));
}

BOOST_AUTO_TEST_CASE(a_full_list_gives_back_to_the_heap) {
  for (std::size_t size : {24u, 56u, 120u, 248u}) {
    node_pool pool;
    const std::size_t limit = node_pool::limit_for(size);
    BOOST_TEST(limit * size <= node_pool::class_bytes);
    std::vector<void*> blocks(limit + 10);
    for (auto& block : blocks) block = node_pool::allocate(&pool, size);
    for (auto* block : blocks) node_pool::release(&pool, block, size);
    BOOST_TEST(pool.kept(size) == limit);
    pool.clear();
    BOOST_TEST(pool.kept(size) == 0u);
  }
}

BOOST_AUTO_TEST_CASE(blocks_wander_between_pools_and_the_heap) {
  node_pool one;
  node_pool other;
  void* memory = node_pool::allocate(&one, 100);
  node_pool::release(&other, memory, 100);
  BOOST_TEST(one.kept(100) == 0u);
  memory = node_pool::allocate(nullptr, 100);
  node_pool::release(&one, memory, 100);
  memory = node_pool::allocate(&one, 100);
  node_pool::release(nullptr, memory, 100);
  BOOST_TEST(one.kept(100) == 0u);
}
