// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The timer wheel by example.

#define BOOST_TEST_MODULE timer_wheel
#include <boost/test/unit_test.hpp>

#include <smarm/detail/timer_wheel.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace {

using smarm::detail::no_deadline;
using smarm::detail::timer_node;
using smarm::detail::timer_wheel;

constexpr std::int64_t us = 1000;
constexpr std::int64_t ms = 1000 * us;
constexpr std::int64_t s = 1000 * ms;
constexpr std::int64_t day = 24 * 3600 * s;
constexpr std::int64_t year = 365 * day;

#if !SMARM_ASAN && !SMARM_TSAN // sanitizers bring allocation functions of their own
std::size_t allocations = 0;
#endif

struct timer : timer_node {
  int id = 0;
};

int id_of(timer_node* node) { return node ? static_cast<timer*>(node)->id : -1; }

std::vector<int> expire_all(timer_wheel& wheel, std::int64_t now) {
  std::vector<int> ids;
  while (timer_node* node = wheel.expire(now)) ids.push_back(id_of(node));
  return ids;
}

template <std::size_t Count>
struct timers : std::array<timer, Count> {
  timers() {
    for (std::size_t i = 0; i < Count; ++i) (*this)[i].id = static_cast<int>(i);
  }
};

} // namespace

#if !SMARM_ASAN && !SMARM_TSAN
// Out of line, or g++ takes the pair for a mismatched one.
SMARM_NOINLINE void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
SMARM_NOINLINE void operator delete(void* memory) noexcept { std::free(memory); }
SMARM_NOINLINE void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

BOOST_AUTO_TEST_CASE(an_empty_wheel_has_nothing_due_and_no_deadline) {
  timer_wheel wheel(5 * s);
  BOOST_TEST(wheel.empty());
  BOOST_TEST(wheel.size() == 0u);
  BOOST_TEST(wheel.next_deadline_ns() == no_deadline);
  BOOST_TEST(wheel.expire(no_deadline) == nullptr);
  BOOST_TEST(wheel.take_any() == nullptr);
}

BOOST_AUTO_TEST_CASE(only_due_timers_come_and_in_the_order_of_their_deadlines) {
  timer_wheel wheel(0);
  timers<4> t;
  wheel.arm(t[0], 30 * ms);
  wheel.arm(t[1], 10 * ms);
  wheel.arm(t[2], 3 * s);
  wheel.arm(t[3], 20 * ms);
  BOOST_TEST(expire_all(wheel, 10 * ms - 1).empty());
  BOOST_TEST(expire_all(wheel, 20 * ms) == (std::vector<int>{1, 3}),
             boost::test_tools::per_element());
  BOOST_TEST(wheel.size() == 2u);
  BOOST_TEST(expire_all(wheel, day) == (std::vector<int>{0, 2}), boost::test_tools::per_element());
  BOOST_TEST(wheel.empty());
}

BOOST_AUTO_TEST_CASE(nothing_fires_before_its_nanosecond) {
  timer_wheel wheel(0);
  timers<1> t;
  wheel.arm(t[0], 1001);
  BOOST_TEST(wheel.expire(1001) == nullptr); // rounded up to the next microsecond
  BOOST_TEST(wheel.next_deadline_ns() == 2000);
  BOOST_TEST(wheel.expire(1999) == nullptr);
  BOOST_TEST(id_of(wheel.expire(2000)) == 0);
}

BOOST_AUTO_TEST_CASE(equal_deadlines_come_in_the_order_of_arming_also_across_levels) {
  timer_wheel wheel(0);
  timers<6> t;
  const std::int64_t deadline = 5 * s;
  wheel.arm(t[0], deadline);
  wheel.arm(t[1], deadline - 999); // the same microsecond
  BOOST_TEST(expire_all(wheel, deadline - 200 * ms).empty());
  wheel.arm(t[2], deadline); // from nearer, so from a lower level
  wheel.arm(t[3], deadline - 1);
  BOOST_TEST(expire_all(wheel, deadline - 3 * us).empty());
  wheel.arm(t[4], deadline - 500);
  wheel.arm(t[5], deadline);
  BOOST_TEST(expire_all(wheel, deadline) == (std::vector<int>{0, 1, 2, 3, 4, 5}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(deadlines_in_the_past_are_due_at_once_after_what_is_due_already) {
  timer_wheel wheel(10 * s);
  timers<4> t;
  wheel.arm(t[0], 10 * s);
  wheel.arm(t[1], 3 * s);
  wheel.arm(t[2], -1);
  wheel.arm(t[3], INT64_MIN);
  BOOST_TEST(wheel.next_deadline_ns() <= 10 * s);
  BOOST_TEST(expire_all(wheel, 10 * s) == (std::vector<int>{0, 1, 2, 3}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_clock_that_was_read_too_early_still_finds_what_is_due) {
  timer_wheel wheel(0);
  timers<1> t;
  BOOST_TEST(wheel.expire(2 * s) == nullptr);
  wheel.arm(t[0], 1 * s);
  BOOST_TEST(id_of(wheel.expire(1 * s)) == 0);
}

BOOST_AUTO_TEST_CASE(cancel_is_true_once_and_only_for_an_armed_timer) {
  timer_wheel wheel(0);
  timers<2> t;
  BOOST_TEST(!wheel.cancel(t[0]));
  wheel.arm(t[0], s);
  wheel.arm(t[1], s);
  BOOST_TEST(t[0].armed());
  BOOST_TEST(wheel.cancel(t[0]));
  BOOST_TEST(!t[0].armed());
  BOOST_TEST(!wheel.cancel(t[0]));
  BOOST_TEST(wheel.size() == 1u);
  BOOST_TEST(id_of(wheel.expire(s)) == 1);
  BOOST_TEST(!wheel.cancel(t[1])); // it has fired
}

BOOST_AUTO_TEST_CASE(a_cancelled_timer_may_be_destroyed_at_once) {
  timer_wheel wheel(0);
  timers<1> t;
  auto gone = std::make_unique<timer>();
  wheel.arm(t[0], 3600 * s);
  wheel.arm(*gone, 3600 * s);
  BOOST_TEST(wheel.cancel(*gone));
  gone.reset();
  BOOST_TEST(id_of(wheel.expire(3600 * s)) == 0);
  BOOST_TEST(wheel.expire(3600 * s) == nullptr);
}

BOOST_AUTO_TEST_CASE(after_cancel_and_rearm_the_old_deadline_is_never_seen) {
  timer_wheel wheel(0);
  timers<1> t;
  for (std::int64_t i = 0; i < 1000; ++i) {
    const std::int64_t now = i * s;
    wheel.arm(t[0], now);
    BOOST_TEST_REQUIRE(wheel.cancel(t[0]));
    wheel.arm(t[0], now + 500 * ms);
    BOOST_TEST_REQUIRE(wheel.expire(now + 499 * ms) == nullptr);
    BOOST_TEST_REQUIRE(id_of(wheel.expire(now + 500 * ms)) == 0);
    BOOST_TEST_REQUIRE(wheel.expire(now + 500 * ms) == nullptr);
  }
}

BOOST_AUTO_TEST_CASE(a_timer_armed_from_a_sweep_at_the_sweeps_time_comes_in_that_sweep) {
  timer_wheel wheel(0);
  timers<2> t;
  wheel.arm(t[0], 1 * ms);
  wheel.arm(t[1], 2 * ms);
  BOOST_TEST(id_of(wheel.expire(5 * ms)) == 0);
  wheel.arm(t[0], 2 * ms);
  BOOST_TEST(id_of(wheel.expire(5 * ms)) == 1);
  BOOST_TEST(id_of(wheel.expire(5 * ms)) == 0);
  BOOST_TEST(wheel.expire(5 * ms) == nullptr);
}

BOOST_AUTO_TEST_CASE(deadlines_years_ahead_and_never_work) {
  timer_wheel wheel(12 * day);
  timers<5> t;
  wheel.arm(t[0], no_deadline);
  wheel.arm(t[1], 290 * year);
  BOOST_TEST(wheel.next_deadline_ns() == 290 * year);
  wheel.arm(t[2], 10 * year);
  wheel.arm(t[3], no_deadline - 1);
  wheel.arm(t[4], no_deadline - 807); // the last whole microsecond
  BOOST_TEST(expire_all(wheel, 290 * year) == (std::vector<int>{2, 1}),
             boost::test_tools::per_element());
  BOOST_TEST(wheel.next_deadline_ns() == no_deadline - 807);
  BOOST_TEST(expire_all(wheel, no_deadline) == (std::vector<int>{4}),
             boost::test_tools::per_element());
  BOOST_TEST(wheel.next_deadline_ns() == no_deadline); // what never comes asks for no wake
  BOOST_TEST(wheel.size() == 2u);
  BOOST_TEST(wheel.cancel(t[0]));
  BOOST_TEST(wheel.cancel(t[3]));
}

BOOST_AUTO_TEST_CASE(a_clock_that_jumps_does_not_visit_every_tick, *boost::unit_test::timeout(60)) {
  timer_wheel wheel(0);
  timers<2> t;
  for (std::int64_t i = 1; i < 200; ++i) {
    wheel.arm(t[0], i * year);
    wheel.arm(t[1], i * year + 1);
    BOOST_TEST_REQUIRE(expire_all(wheel, i * year + day).size() == 2u);
  }
}

BOOST_AUTO_TEST_CASE(a_lone_far_timer_is_looked_at_once) {
  for (std::int64_t deadline : {1 * us, 63 * us, 64 * us, 1 * s, 3600 * s, day, 200 * year}) {
    timer_wheel wheel(0);
    timers<1> t;
    wheel.arm(t[0], deadline);
    BOOST_TEST(wheel.next_deadline_ns() == deadline);
    BOOST_TEST(id_of(wheel.expire(wheel.next_deadline_ns())) == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_cancelled_neighbour_costs_a_far_timer_a_handful_of_looks) {
  // The worst case: before the far timer, every level of the wheel holds one that was cancelled.
  timer_wheel wheel(0);
  timers<2> t;
  const std::int64_t far = 200 * year;
  wheel.arm(t[0], far);
  int looks = 0;
  for (std::int64_t before = 100 * year; !wheel.empty() && looks < 100; before /= 40) {
    wheel.arm(t[1], far - before);
    BOOST_TEST(wheel.cancel(t[1]));
    const std::int64_t next = wheel.next_deadline_ns();
    BOOST_TEST(next <= far);
    (void)wheel.expire(next);
    ++looks;
  }
  BOOST_TEST(wheel.empty());
  BOOST_TEST(looks <= 9);
}

BOOST_AUTO_TEST_CASE(take_any_hands_back_every_node_once) {
  timer_wheel wheel(0);
  timers<64> t;
  for (std::size_t i = 0; i < t.size(); ++i) wheel.arm(t[i], std::int64_t{1} << i % 63);
  std::vector<int> ids;
  while (timer_node* node = wheel.take_any()) ids.push_back(id_of(node));
  std::sort(ids.begin(), ids.end());
  BOOST_TEST_REQUIRE(ids.size() == t.size());
  for (std::size_t i = 0; i < ids.size(); ++i) BOOST_TEST(ids[i] == static_cast<int>(i));
  BOOST_TEST(wheel.empty());
  BOOST_TEST(wheel.next_deadline_ns() == no_deadline);
  for (auto& timer : t) BOOST_TEST(!timer.armed());
}

#if !SMARM_ASAN && !SMARM_TSAN
BOOST_AUTO_TEST_CASE(nothing_is_allocated) {
  timer_wheel wheel(0);
  timers<100> t;
  const std::size_t before = allocations;
  std::size_t fired = 0;
  for (std::int64_t round = 0; round < 50; ++round) {
    for (std::size_t i = 0; i < t.size(); ++i) {
      (void)wheel.cancel(t[i]);
      wheel.arm(t[i], round * s + static_cast<std::int64_t>(i * i) * ms);
    }
    while (wheel.expire(round * s + 100 * ms)) ++fired;
  }
  while (wheel.take_any()) {
  }
  const std::size_t after = allocations;
  BOOST_TEST(after == before);
  BOOST_TEST(fired > 0u);
}
#endif
