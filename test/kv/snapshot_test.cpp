// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// A snapshot has all keys as they were when it began, whatever happens while it is taken.

#define BOOST_TEST_MODULE kv_snapshot
#include <boost/test/unit_test.hpp>

#include "keys.hpp"

#include <random>
#include <string>

using namespace kv_test;

namespace {

std::string any_change(std::mt19937& random) {
  const auto any = [&](int below) {
    return std::to_string(random() % static_cast<unsigned>(below));
  };
  const std::string key = "key" + any(3000);
  switch (random() % 12) {
  case 0: return "DEL " + key;
  case 1: return "APPEND " + key + " x";
  case 2: return "PEXPIREAT " + key + ' ' + std::to_string(1001 + random() % 1000);
  case 3: return "PERSIST " + key;
  case 4: return "INCR count" + any(100);
  case 5: return "GET " + key;
  case 6: return random() % 300 == 0 ? "FLUSHALL" : "EXPIRE " + key + " 1";
  default: return "SET " + key + ' ' + any(1'000'000);
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(what_changes_meanwhile_is_in_it_as_it_was) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      std::mt19937 random(seed);
      kv::keyspace keys;
      std::int64_t now = 1000;
      for (int i = 0; i < 5000; ++i) {
        (void)change(keys, any_change(random), now);
      }
      const contents wanted = contents_of(keys);
      std::string all, ignored;
      keys.begin_snapshot();
      while (keys.snapshot_piece(1 + random() % 4000, all)) {
        for (unsigned i = random() % 60; i != 0; --i) {
          (void)change(keys, any_change(random), now);
        }
        now += static_cast<std::int64_t>(random() % 20); // some keys' time comes
        (void)keys.expire(now, 10, ignored);
      }
      BOOST_TEST((contents_of(all) == wanted));
      // And the next one has what was changed.
      const contents before = contents_of(keys);
      BOOST_TEST((contents_of(keys) == before));
      BOOST_TEST(before.size() == keys.size());
    }
  }
}

BOOST_AUTO_TEST_CASE(all_keys_may_be_deleted_meanwhile_and_more_than_once) {
  kv::keyspace keys;
  for (int i = 0; i < 5000; ++i) {
    (void)change(keys, "SET key" + std::to_string(i) + " old");
  }
  const contents wanted = contents_of(keys);
  std::string all;
  keys.begin_snapshot();
  BOOST_TEST(keys.snapshot_piece(1000, all));
  for (int round = 0; round < 3; ++round) {
    (void)change(keys, "FLUSHALL");
    for (int i = 0; i < 5000; i += 7) {
      (void)change(keys, "SET key" + std::to_string(i) + " new");
    }
    BOOST_TEST(keys.snapshot_piece(1000, all));
  }
  while (keys.snapshot_piece(1000, all)) {
  }
  BOOST_TEST((contents_of(all) == wanted));
  BOOST_TEST(contents_of(keys).size() == 715U);
}

BOOST_AUTO_TEST_CASE(one_that_was_given_up_leaves_no_trace) {
  kv::keyspace keys;
  for (int i = 0; i < 5000; ++i) {
    (void)change(keys, "SET key" + std::to_string(i) + " v");
  }
  const contents wanted = contents_of(keys);
  std::string some;
  keys.begin_snapshot();
  BOOST_TEST(keys.snapshot_piece(1000, some));
  keys.end_snapshot();
  BOOST_TEST((contents_of(keys) == wanted));
}
