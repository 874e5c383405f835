// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The parker with real threads and a real clock: permits, deadlines to the nanosecond, and sleeping
// in something else than the futex.

#define BOOST_TEST_MODULE parker
#include <boost/test/unit_test.hpp>

#include <smarm/detail/idle_driver.hpp>
#include <smarm/detail/parker.hpp>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

using smarm::detail::linux_futex;
using smarm::detail::parker;
using smarm::detail::this_thread_parker;

BOOST_AUTO_TEST_SUITE(parker_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_permit_before_the_sleep_ends_it_at_once) {
  parker p;
  BOOST_TEST(!p.unpark());
  BOOST_TEST(p.park());
}

BOOST_AUTO_TEST_CASE(permits_do_not_add_up) {
  parker p;
  p.unpark();
  p.unpark();
  BOOST_TEST(p.park());
  BOOST_TEST(!p.park(0));
}

BOOST_AUTO_TEST_CASE(a_deadline_in_the_past_does_not_sleep) {
  parker p;
  BOOST_TEST(!p.park(linux_futex::now() - 1));
  BOOST_TEST(!p.park(0));
  BOOST_TEST(!p.park(-1));
}

BOOST_AUTO_TEST_CASE(a_permit_is_taken_even_if_the_deadline_has_passed) {
  parker p;
  p.unpark();
  BOOST_TEST(p.park(0));
}

BOOST_AUTO_TEST_CASE(no_sleep_ends_before_its_deadline) {
  parker p;
  for (const std::int64_t ns : {1, 1'000, 500'000, 999'999, 1'000'001, 3'000'000}) {
    const std::int64_t deadline = linux_futex::now() + ns;
    BOOST_TEST(!p.park(deadline));
    BOOST_TEST(linux_futex::now() >= deadline);
  }
}

BOOST_AUTO_TEST_CASE(two_threads_wake_each_other_by_turns) {
  constexpr int rounds = 20'000;
  parker here;
  parker there;
  int turns = 0;
  std::thread other([&] {
    for (int i = 0; i < rounds; ++i) {
      there.park();
      ++turns;
      here.unpark();
    }
  });
  bool in_turn = true;
  for (int i = 0; i < rounds; ++i) {
    there.unpark();
    here.park();
    in_turn = in_turn && turns == i + 1;
  }
  other.join();
  BOOST_TEST(in_turn);
}

// Deadlines so short that many of them race the permit; whichever wins, no permit is lost.
BOOST_AUTO_TEST_CASE(permits_that_race_deadlines_are_not_lost) {
  constexpr int rounds = 2'000;
  parker p;
  std::atomic<int> sent{0};
  std::atomic<int> seen{0};
  std::thread waker([&] {
    for (int i = 0; i < rounds; ++i) {
      sent.store(i + 1);
      p.unpark();
      while (seen.load() != i + 1) {
        std::this_thread::yield();
      }
    }
  });
  for (int taken = 0; taken < rounds; ++taken) {
    while (!p.park(linux_futex::now() + 1'000)) {
    }
    seen.store(sent.load());
  }
  waker.join();
  BOOST_TEST(seen.load() == rounds);
  BOOST_TEST(!p.park(0));
}

BOOST_AUTO_TEST_CASE(a_waker_interrupts_what_the_owner_sleeps_in) {
  struct place final : smarm::detail::interruptible {
    void interrupt() noexcept override { ++interrupts; }
    int interrupts = 0;
  } loop;
  parker p;
  BOOST_TEST(p.enter(loop));
  BOOST_TEST(p.unpark());
  BOOST_TEST(!p.unpark());
  BOOST_TEST(loop.interrupts == 1);
  BOOST_TEST(p.leave());
  BOOST_TEST(p.enter(loop));
  BOOST_TEST(!p.leave());
  p.unpark();
  BOOST_TEST(!p.enter(loop));
  BOOST_TEST(loop.interrupts == 1);
}

BOOST_AUTO_TEST_CASE(a_driver_of_time_sleeps_on_the_parker) {
  smarm::detail::futex_driver driver;
  parker p;
  BOOST_TEST(!driver.needs_sleeper());
  BOOST_TEST(!driver.poll());
  const std::int64_t deadline = linux_futex::now() + 200'000;
  BOOST_TEST(!driver.wait_until(deadline, p));
  BOOST_TEST(linux_futex::now() >= deadline);
  std::thread waker([&] { p.unpark(); });
  BOOST_TEST(driver.wait_until(smarm::detail::no_deadline, p));
  waker.join();
}

BOOST_AUTO_TEST_CASE(each_thread_has_one_parker_of_its_own) {
  std::vector<parker*> found(8);
  std::vector<std::thread> threads;
  std::atomic<int> alive{0};
  for (auto& f : found) {
    threads.emplace_back([&] {
      f = &this_thread_parker();
      ++alive;
      while (alive.load() != 8) {
        std::this_thread::yield();
      }
      f = f == &this_thread_parker() ? f : nullptr;
    });
  }
  for (auto& t : threads) {
    t.join();
  }
  BOOST_TEST((std::set<parker*>(found.begin(), found.end()).size()) == 8u);
}

BOOST_AUTO_TEST_CASE(a_parker_outlives_its_thread_and_is_used_again) {
  parker* first = nullptr;
  std::thread([&] { first = &this_thread_parker(); }).join();
  first->unpark(); // late, and harmless
  std::set<parker*> seen;
  std::thread([&] { seen.insert(&this_thread_parker()); }).join();
  BOOST_TEST(seen.count(first) == 1u);
}

BOOST_AUTO_TEST_CASE(the_timer_slack_is_the_threads_own) {
  const auto before = smarm::detail::exchange_timer_slack(1);
  BOOST_TEST(smarm::detail::exchange_timer_slack(before) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
