// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What only the striped run queue does: steal, grow, overflow, and look at the injection queue now
// and then.

#define BOOST_TEST_MODULE striped_queue
#include <boost/test/unit_test.hpp>

#include "run_queue_crew.hpp"

#include <smarm/detail/striped_queue.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace {

namespace detail = smarm::detail;
using smarm_test::crew;
using smarm_test::item;
using smarm_test::numbered;
using queue = detail::striped_queue<item>;
using ring = queue::ring;

// Fails while it is told to.
template <class T>
struct moody_allocator {
  using value_type = T;

  moody_allocator(const bool* fails) : fails_(fails) {} // NOLINT: implicit, for brevity
  template <class U>
  moody_allocator(const moody_allocator<U>& other) : fails_(other.fails_) {} // NOLINT

  T* allocate(std::size_t n) {
    if (*fails_) {
      throw std::bad_alloc();
    }
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* p, std::size_t n) noexcept { std::allocator<T>().deallocate(p, n); }
  friend bool operator==(const moody_allocator&, const moody_allocator&) = default;

  const bool* fails_;
};
using moody_queue = detail::striped_queue<item, detail::std_atomics, moody_allocator<item*>>;

template <class Local>
std::vector<std::size_t> drain(Local& local) {
  std::vector<std::size_t> numbers;
  while (item* const i = local.pop()) {
    numbers.push_back(i->number);
  }
  return numbers;
}

std::vector<std::size_t> range(std::size_t from, std::size_t to) {
  std::vector<std::size_t> numbers;
  for (; from < to; ++from) {
    numbers.push_back(from);
  }
  return numbers;
}

struct two_schedulers {
  explicit two_schedulers(std::size_t count, std::size_t capacity = ring::default_capacity)
      : items(numbered(count)), all(2, count, capacity), victim(all, 0), thief(all, 1) {
    for (auto& i : items) {
      victim.push(&i);
    }
  }
  std::vector<item> items;
  queue::shared all;
  queue::local victim;
  queue::local thief;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_thief_takes_the_older_half_in_order) {
  two_schedulers s(10);
  BOOST_TEST(s.thief.steal(false) == &s.items[0]);
  BOOST_TEST(drain(s.thief) == range(1, 5), boost::test_tools::per_element());
  BOOST_TEST(drain(s.victim) == range(5, 10), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_larger_half_of_an_odd_number_is_taken) {
  two_schedulers s(5);
  BOOST_TEST(s.thief.steal(false) == &s.items[0]);
  BOOST_TEST(drain(s.thief) == range(1, 3), boost::test_tools::per_element());
  BOOST_TEST(drain(s.victim) == range(3, 5), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_of_two_is_taken) {
  two_schedulers s(2);
  BOOST_TEST(s.thief.steal(false) == &s.items[0]);
  BOOST_TEST(s.thief.pop() == nullptr);
  BOOST_TEST(s.victim.pop() == &s.items[1]);
}

BOOST_AUTO_TEST_CASE(a_lone_item_is_taken_only_on_demand) {
  two_schedulers s(1);
  BOOST_TEST(!s.thief.maybe_work(false));
  BOOST_TEST(s.thief.steal(false) == nullptr);
  BOOST_TEST(s.victim.size() == 1U);
  BOOST_TEST(s.thief.maybe_work(true));
  BOOST_TEST(s.thief.steal(true) == &s.items[0]);
  BOOST_TEST(s.victim.pop() == nullptr);
  BOOST_TEST(s.thief.steal(true) == nullptr);
}

BOOST_AUTO_TEST_CASE(two_items_of_a_sibling_are_worth_staying_awake_for) {
  two_schedulers s(2);
  BOOST_TEST(s.thief.maybe_work(false));
}

BOOST_AUTO_TEST_CASE(a_theft_is_bounded) {
  two_schedulers s(2000);
  BOOST_TEST(s.thief.steal(false) == &s.items[0]);
  BOOST_TEST(drain(s.thief) == range(1, ring::largest_theft), boost::test_tools::per_element());
  BOOST_TEST(drain(s.victim) == range(ring::largest_theft, 2000),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_thief_takes_no_more_than_its_own_ring_holds) {
  auto items = numbered(40);
  queue::shared all(2, items.size(), 4);
  queue::local victim(all, 0);
  queue::local thief(all, 1);
  for (std::size_t i = 0; i < 38; ++i) {
    victim.push(&items[i]);
  }
  thief.push(&items[38]);
  thief.push(&items[39]); // two of its four cells are left
  BOOST_TEST(thief.steal(false) == &items[0]);
  BOOST_TEST(drain(thief) == (std::vector<std::size_t>{38, 39, 1, 2}),
             boost::test_tools::per_element());
  BOOST_TEST(drain(victim) == range(3, 38), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_thief_looks_at_every_sibling) {
  auto items = numbered(2);
  queue::shared all(5, items.size());
  queue::local thief(all, 3);
  for (unsigned id : {0U, 1U, 2U, 4U}) {
    queue::local victim(all, id);
    victim.push(&items[0]);
    victim.push(&items[1]);
    BOOST_TEST(thief.steal(false) == &items[0]);
    BOOST_TEST(victim.pop() == &items[1]);
  }
}

BOOST_AUTO_TEST_CASE(a_lone_scheduler_has_nobody_to_steal_from) {
  auto items = numbered(2);
  queue::shared all(1, items.size());
  queue::local local(all, 0);
  local.push(&items[0]);
  local.push(&items[1]);
  BOOST_TEST(local.steal(true) == nullptr);
  BOOST_TEST(local.size() == 2U);
}

BOOST_AUTO_TEST_CASE(every_61st_pop_looks_at_the_injection_queue_first) {
  for (const unsigned schedulers : {1U, 2U}) {
    auto items = numbered(200);
    queue::shared all(schedulers, items.size());
    queue::local local(all, 0);
    for (std::size_t i = 0; i < 198; ++i) {
      local.push(&items[i]);
    }
    all.inject(&items[198]);
    all.inject(&items[199]);
    std::vector<std::size_t> injected_at;
    for (std::size_t pop = 1; pop <= 200; ++pop) {
      if (local.pop()->number >= 198) {
        injected_at.push_back(pop);
      }
    }
    BOOST_TEST(injected_at == (std::vector<std::size_t>{61, 122}),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(the_injection_queue_is_looked_at_before_a_theft) {
  two_schedulers s(4);
  item injected;
  s.all.inject(&injected);
  BOOST_TEST(s.thief.pop() == &injected);
}

BOOST_AUTO_TEST_CASE(a_full_ring_doubles_and_keeps_the_order) {
  for (const std::size_t turned : {0U, 1U, 3U}) { // growth at different places of the ring
    auto items = numbered(1000);
    queue::shared all(2, items.size(), 4);
    queue::local local(all, 0);
    for (std::size_t i = 0; i < turned; ++i) {
      local.push(&items[i]);
      BOOST_TEST(local.pop() == &items[i]);
    }
    for (auto& i : items) {
      local.push(&i);
    }
    BOOST_TEST(local.size() == 1000U);
    for (auto& i : items) {
      BOOST_REQUIRE(local.pop() == &i);
    }
    BOOST_TEST(local.pop() == nullptr);
  }
}

BOOST_AUTO_TEST_CASE(peek_shows_what_comes_next) {
  two_schedulers s(3);
  BOOST_TEST(s.victim.peek(0) == &s.items[0]);
  BOOST_TEST(s.victim.peek(2) == &s.items[2]);
  BOOST_TEST(s.victim.peek(3) == nullptr); // never written
  BOOST_TEST(s.victim.pop() == &s.items[0]);
  BOOST_TEST(s.victim.peek(0) == &s.items[1]);
  BOOST_TEST(s.victim.peek(1) == &s.items[2]);
}

BOOST_AUTO_TEST_CASE(a_ring_that_cannot_grow_overflows_into_the_injection_queue) {
  bool fails = false;
  auto items = numbered(12);
  moody_queue::shared all(2, items.size(), 4, &fails);
  moody_queue::local local(all, 0);
  fails = true;
  BOOST_TEST(local.push(&items[0]));
  for (std::size_t i = 1; i < 6; ++i) {
    BOOST_TEST(!local.push(&items[i])); // 4 and 5 do not fit
  }
  BOOST_TEST(local.size() == 4U);
  BOOST_TEST(all.has_injected());
  BOOST_TEST(all.size() == 6U);
  fails = false; // memory is back
  for (std::size_t i = 6; i < 12; ++i) {
    local.push(&items[i]);
  }
  BOOST_TEST(local.size() == 10U);
  auto numbers = drain(local);
  std::sort(numbers.begin(), numbers.end());
  BOOST_TEST(numbers == range(0, 12), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(no_memory_for_the_first_ring_is_reported) {
  const bool fails = true;
  BOOST_CHECK_THROW(moody_queue::shared(1, 1, 4, &fails), std::bad_alloc);
}

// Rings start so small that the owners double them again and again under the thieves' hands.
BOOST_AUTO_TEST_CASE(rings_grow_while_thieves_run, *boost::unit_test::timeout(120)) {
  for (int repetition = 0; repetition < 20; ++repetition) {
    crew<queue> c({.schedulers = 3, .foreign_threads = 1, .items_each = 1000, .rounds = 1,
                   .ring_capacity = 2});
    c.run();
    BOOST_TEST(c.lost() == 0U);
    BOOST_TEST(c.twice() == 0U);
    BOOST_TEST(c.left_over() == 0U);
  }
}

BOOST_AUTO_TEST_CASE(small_rings_go_round_under_thieves, *boost::unit_test::timeout(120)) {
  crew<queue> c({.schedulers = 4, .foreign_threads = 0, .items_each = 3, .rounds = 5000,
                 .ring_capacity = 2});
  c.run();
  BOOST_TEST(c.lost() == 0U);
  BOOST_TEST(c.twice() == 0U);
  BOOST_TEST(c.left_over() == 0U);
}
