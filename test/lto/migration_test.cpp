// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What belongs to a thread is looked up anew after each switch: in loops whose every turn goes on on
// another thread, with the switch in the frame that asks, so that nothing stops a compiler from
// remembering but the accessors themselves.

#define BOOST_TEST_MODULE migration
#include <boost/test/unit_test.hpp>

#include "../fiber.hpp"

#include <smarm/detail/this_scheduler.hpp>

#include <semaphore>
#include <thread>
#include <vector>

namespace {

using namespace smarm::detail;
using smarm_test::fiber;

constexpr int turns = 200;

scheduler* scheduler_number(int i) {
  static char stands_for[2];
  return reinterpret_cast<scheduler*>(&stands_for[i]);
}

// Resumes the context in turn on two threads, each a scheduler of its own.
void in_turn(fiber& one) {
  std::binary_semaphore ours(1);
  std::binary_semaphore theirs(0);
  auto loop = [&](int id, std::binary_semaphore& mine, std::binary_semaphore& other) {
    set_current_scheduler(scheduler_number(id));
    for (bool more = true; more;) {
      mine.acquire();
      if (!one.done()) one.resume();
      more = !one.done();
      other.release();
    }
    set_current_scheduler(nullptr);
  };
  std::thread second(loop, 1, std::ref(theirs), std::ref(ours));
  loop(0, ours, theirs);
  second.join();
}

} // namespace

BOOST_AUTO_TEST_CASE(the_scheduler_is_the_one_of_the_thread_that_goes_on) {
  stack_pool pool;
  int wrong = 0;
  fiber one(pool, [&](fiber& self) {
    for (int i = 0; i < turns; ++i) {
      if (current_scheduler() != scheduler_number(i % 2)) ++wrong;
      self.yield_inline();
      if (current_scheduler() != scheduler_number((i + 1) % 2)) ++wrong;
    }
  });
  in_turn(one);
  BOOST_TEST(wrong == 0);
  BOOST_TEST(current_scheduler() == nullptr);
}

BOOST_AUTO_TEST_CASE(a_scheduler_seen_once_is_loaded_again_without_a_look_in_between) {
  // The turns are unrolled by hand: a remembered value would be used four times over.
  stack_pool pool;
  std::vector<scheduler*> seen;
  seen.reserve(8);
  fiber one(pool, [&](fiber& self) {
    seen.push_back(current_scheduler());
    self.yield_inline();
    seen.push_back(current_scheduler());
    self.yield_inline();
    seen.push_back(current_scheduler());
    self.yield_inline();
    seen.push_back(current_scheduler());
  });
  in_turn(one);
  BOOST_TEST(seen.size() == 4u);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    BOOST_TEST(seen[i] == scheduler_number(static_cast<int>(i % 2)));
  }
}

BOOST_AUTO_TEST_CASE(exception_globals_are_the_ones_of_the_thread_that_goes_on) {
  stack_pool pool;
  int wrong = 0;
  fiber one(pool, [&](fiber& self) {
    const exception_globals* before = this_thread_exception_globals();
    for (int i = 0; i < turns; ++i) {
      self.yield_inline();
      const exception_globals* const now = this_thread_exception_globals();
      if (now == before) ++wrong;
      before = now;
    }
  });
  in_turn(one);
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(a_thread_that_is_no_scheduler_has_none) {
  set_current_scheduler(scheduler_number(0));
  scheduler* elsewhere = scheduler_number(1);
  std::thread([&] { elsewhere = current_scheduler(); }).join();
  BOOST_TEST(elsewhere == nullptr);
  BOOST_TEST(current_scheduler() == scheduler_number(0));
  set_current_scheduler(nullptr);
}
