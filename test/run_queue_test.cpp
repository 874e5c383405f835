// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What every run queue promises, whichever one the build has chosen: order, nothing lost, nothing
// twice. What only the striped one does is in striped_queue_test.cpp.

#define BOOST_TEST_MODULE run_queue
#include <boost/test/unit_test.hpp>

#include "run_queue_crew.hpp"

#include <smarm/detail/run_queue.hpp>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

namespace {

namespace detail = smarm::detail;
using smarm_test::crew;
using smarm_test::item;
using smarm_test::numbered;

using queues = std::tuple<detail::striped_queue<item>, detail::lockfree_queue<item>,
                          detail::mutex_queue<item>>;

} // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(one_scheduler_is_first_in_first_out, Queue, queues) {
  auto items = numbered(100);
  typename Queue::shared all(1, items.size());
  typename Queue::local local(all, 0);
  for (auto& i : items) {
    local.push(&i);
  }
  for (auto& i : items) {
    BOOST_TEST(local.pop() == &i);
  }
  BOOST_TEST(local.pop() == nullptr);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(order_survives_many_laps_of_few_entries, Queue, queues) {
  auto items = numbered(8);
  for (const unsigned schedulers : {1U, 2U}) {
    typename Queue::shared all(schedulers, items.size());
    typename Queue::local local(all, 0);
    for (int lap = 0; lap < 1000; ++lap) {
      for (auto& i : items) {
        local.push(&i);
      }
      for (auto& i : items) {
        BOOST_REQUIRE(local.pop() == &i);
      }
      BOOST_REQUIRE(local.pop() == nullptr);
    }
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_standing_queue_wraps_at_every_position, Queue, queues) {
  auto items = numbered(7);
  typename Queue::shared all(2, items.size());
  typename Queue::local local(all, 0);
  for (auto& i : items) {
    local.push(&i);
  }
  for (int turn = 0; turn < 2000; ++turn) {
    item* const oldest = local.pop();
    BOOST_REQUIRE(oldest == &items[static_cast<std::size_t>(turn) % items.size()]);
    local.push(oldest);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(push_tells_whether_it_was_empty, Queue, queues) {
  auto items = numbered(2);
  typename Queue::shared all(2, items.size());
  typename Queue::local local(all, 0);
  BOOST_TEST(local.push(&items[0]));
  BOOST_TEST(!local.push(&items[1]));
  BOOST_TEST(local.pop() == &items[0]);
  BOOST_TEST(local.pop() == &items[1]);
  BOOST_TEST(local.push(&items[1]));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(sizes_count_what_is_in, Queue, queues) {
  auto items = numbered(3);
  typename Queue::shared all(2, items.size());
  typename Queue::local local(all, 0);
  BOOST_TEST(all.size() == 0U);
  local.push(&items[0]);
  local.push(&items[1]);
  BOOST_TEST(local.size() == 2U);
  all.inject(&items[2]);
  BOOST_TEST(all.size() == 3U);
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(local.pop() != nullptr);
  }
  BOOST_TEST(all.size() == 0U);
  BOOST_TEST(local.size() == 0U);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(what_is_injected_is_seen_and_popped_by_any_scheduler, Queue, queues) {
  auto items = numbered(4);
  typename Queue::shared all(2, items.size());
  typename Queue::local first(all, 0);
  typename Queue::local second(all, 1);
  BOOST_TEST(!all.has_injected());
  BOOST_TEST(!first.maybe_work(true));
  for (auto& i : items) {
    all.inject(&i);
  }
  BOOST_TEST(all.has_injected());
  BOOST_TEST(first.maybe_work(false));
  BOOST_TEST(second.maybe_work(false));
  BOOST_TEST(second.pop() == &items[0]);
  BOOST_TEST(first.pop() == &items[1]);
  BOOST_TEST(second.pop() == &items[2]);
  BOOST_TEST(first.pop() == &items[3]);
  BOOST_TEST(!all.has_injected());
  BOOST_TEST(!first.maybe_work(true));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(own_work_is_always_worth_staying_awake_for, Queue, queues) {
  auto items = numbered(1);
  typename Queue::shared all(2, items.size());
  typename Queue::local local(all, 0);
  local.push(&items[0]);
  BOOST_TEST(local.maybe_work(false));
  BOOST_TEST(local.pop() == &items[0]);
  BOOST_TEST(!local.maybe_work(true));
}

BOOST_AUTO_TEST_CASE_TEMPLATE(more_entries_than_first_reserved, Queue, queues) {
  auto items = numbered(5000);
  typename Queue::shared all(1, 4);
  BOOST_TEST(all.reserve(items.size()));
  BOOST_TEST(all.reserve(10)); // never shrinks
  typename Queue::local local(all, 0);
  for (auto& i : items) {
    (i.number % 2 == 0) ? static_cast<void>(local.push(&i)) : all.inject(&i);
  }
  std::vector<bool> seen(items.size());
  while (item* const i = local.pop()) {
    BOOST_REQUIRE(!seen[i->number]);
    seen[i->number] = true;
  }
  BOOST_TEST(std::count(seen.begin(), seen.end(), true) == 5000);
}

BOOST_AUTO_TEST_CASE_TEMPLATE(a_skewed_load_is_drained_by_the_other_scheduler, Queue, queues) {
  auto items = numbered(64);
  typename Queue::shared all(4, items.size());
  typename Queue::local loaded(all, 0);
  typename Queue::local idle(all, 3);
  for (auto& i : items) {
    loaded.push(&i);
  }
  std::vector<bool> seen(items.size());
  for (std::size_t n = 0; n < items.size(); ++n) {
    item* i = idle.pop();
    i = i != nullptr ? i : idle.steal(true);
    BOOST_REQUIRE(i != nullptr);
    BOOST_REQUIRE(!seen[i->number]);
    seen[i->number] = true;
  }
  BOOST_TEST(loaded.pop() == nullptr);
  BOOST_TEST(all.size() == 0U);
}

BOOST_TEST_DECORATOR(*boost::unit_test::timeout(120))
BOOST_AUTO_TEST_CASE_TEMPLATE(every_entry_comes_out_once_under_contention, Queue, queues) {
  crew<Queue> c({.schedulers = 4, .foreign_threads = 0, .items_each = 4000});
  c.run();
  BOOST_TEST(c.lost() == 0U);
  BOOST_TEST(c.twice() == 0U);
  BOOST_TEST(c.left_over() == 0U);
}

BOOST_TEST_DECORATOR(*boost::unit_test::timeout(120))
BOOST_AUTO_TEST_CASE_TEMPLATE(foreign_threads_and_schedulers_lose_nothing, Queue, queues) {
  crew<Queue> c({.schedulers = 2, .foreign_threads = 2, .items_each = 4000});
  c.run();
  BOOST_TEST(c.lost() == 0U);
  BOOST_TEST(c.twice() == 0U);
  BOOST_TEST(c.left_over() == 0U);
}

// Each entry goes round many times, as yielding actors do, while others take part of them away.
BOOST_TEST_DECORATOR(*boost::unit_test::timeout(120))
BOOST_AUTO_TEST_CASE_TEMPLATE(entries_that_go_round_are_never_doubled, Queue, queues) {
  crew<Queue> c({.schedulers = 3, .foreign_threads = 0, .items_each = 20, .rounds = 2000});
  c.run();
  BOOST_TEST(c.lost() == 0U);
  BOOST_TEST(c.twice() == 0U);
  BOOST_TEST(c.left_over() == 0U);
}
