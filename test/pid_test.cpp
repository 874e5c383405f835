// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Pids: plain values that compare, sort, hash and print, made up ones included.

#include <smarm/pid.hpp>

#define BOOST_TEST_MODULE pid
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <iomanip>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <unordered_set>

using smarm::pid;

namespace {

template <class... Manipulators>
std::string printed(const pid& p, Manipulators... manipulators) {
  std::ostringstream out;
  (out << ... << manipulators) << p;
  return out.str();
}

constexpr std::uint32_t largest = std::numeric_limits<std::uint32_t>::max();

} // namespace

static_assert(sizeof(pid) == 8);
static_assert(std::is_trivially_copyable_v<pid>);
static_assert(std::is_nothrow_default_constructible_v<pid>);
static_assert(pid(3, 1).index() == 3 && pid(3, 1).generation() == 1);

BOOST_AUTO_TEST_CASE(a_pid_that_was_given_nothing_is_no_actor) {
  BOOST_TEST(!pid().is_valid());
  BOOST_TEST(pid() == pid::none());
}

BOOST_AUTO_TEST_CASE(root_is_no_actor_and_not_none) {
  BOOST_TEST(!pid::root().is_valid());
  BOOST_TEST(pid::root() != pid::none());
}

BOOST_AUTO_TEST_CASE(a_made_up_pid_is_a_value_like_any_other) {
  BOOST_TEST(pid(0, 0).is_valid());
  BOOST_TEST(pid(largest - 1, largest).is_valid());
  BOOST_TEST(!pid(largest, 7).is_valid());
}

BOOST_AUTO_TEST_CASE(pids_differ_by_place_and_by_generation) {
  BOOST_TEST(pid(3, 1) == pid(3, 1));
  BOOST_TEST(pid(3, 1) != pid(3, 2));
  BOOST_TEST(pid(3, 1) != pid(4, 1));
}

BOOST_AUTO_TEST_CASE(pids_sort_by_place_then_by_generation) {
  BOOST_TEST(pid(3, 9) < pid(4, 0));
  BOOST_TEST(pid(3, 1) < pid(3, 2));
  BOOST_TEST(pid(3, 2) >= pid(3, 2));
}

BOOST_AUTO_TEST_CASE(equal_pids_hash_equal_and_others_spread) {
  BOOST_TEST(std::hash<pid>()(pid(3, 1)) == hash_value(pid(3, 1)));
  std::unordered_set<std::size_t> low_bits;
  for (std::uint32_t index = 0; index != 64; ++index) {
    for (std::uint32_t generation = 0; generation != 64; ++generation) {
      low_bits.insert(hash_value(pid(index, generation)) % 4096);
    }
  }
  // 4096 keys thrown at random into 4096 places hit about 63 in 100 of them.
  BOOST_TEST(low_bits.size() > 2000U);
}

BOOST_AUTO_TEST_CASE(a_pid_prints_as_index_dot_generation) {
  BOOST_TEST(printed(pid(12, 345)) == "<12.345>");
  BOOST_TEST(printed(pid(largest - 1, largest)) == "<4294967294.4294967295>");
  BOOST_TEST(printed(pid::none()) == "<none>");
  BOOST_TEST(printed(pid::root()) == "<root>");
}

BOOST_AUTO_TEST_CASE(the_width_of_the_stream_counts_for_the_whole_and_the_base_not_at_all) {
  BOOST_TEST(printed(pid(10, 11), std::hex, std::left, std::setfill('.'), std::setw(9)) ==
             "<10.11>..");
}
