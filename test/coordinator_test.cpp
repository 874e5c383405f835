// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The coordinator with real threads: who is woken by what, who keeps time, who stands by, and that
// nothing at all happens while nothing is to be done.

#define BOOST_TEST_MODULE coordinator
#include <boost/test/unit_test.hpp>

#include "idle_rig.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using smarm::detail::linux_futex;

namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t hour = 3'600'000 * ms;

std::uint64_t parks(idle_rig& rig) {
  std::uint64_t sum = 0;
  for (unsigned id = 0; id < rig.idle().schedulers(); ++id) {
    sum += rig.idle().counters(id).parks.count();
  }
  return sum;
}

} // namespace

BOOST_AUTO_TEST_SUITE(coordinator_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(a_number_that_nobody_asked_for_is_clamped) {
  BOOST_TEST(smarm::detail::clamp_schedulers(0) == 1u);
  BOOST_TEST(smarm::detail::clamp_schedulers(17) == 17u);
  BOOST_TEST(smarm::detail::clamp_schedulers(192) == 64u);
}

BOOST_AUTO_TEST_CASE(work_seen_in_the_last_look_ends_the_sleep_before_it_begins) {
  smarm::detail::futex_driver driver;
  coordinator c(3, driver, never_looks);
  struct source {
    coordinator& c;
    std::uint64_t seen;
    bool take(bool) noexcept { return seen != 0; }
    bool pending(bool) noexcept { return seen == 0 && (seen = c.sleepers()) != 0; }
    bool finished() noexcept { return false; }
  } last_look{c, 0};
  BOOST_TEST((c.idle(1, last_look) == idle_result::work_found));
  BOOST_TEST(last_look.seen == 2u);
  BOOST_TEST(c.sleepers() == 0u);
  BOOST_TEST(c.counters(1).parks.count() == 0u);
}

// Somebody else is faster, or a thief loses to a busy owner: no reason to sleep beside the rest.
BOOST_AUTO_TEST_CASE(a_last_look_that_comes_away_empty_is_repeated) {
  smarm::detail::futex_driver driver;
  coordinator c(2, driver, never_looks);
  struct source {
    int looks;
    bool take(bool) noexcept { return ++looks == 3; }
    bool pending(bool) noexcept { return looks < 3; }
    bool finished() noexcept { return false; }
  } contended{0};
  BOOST_TEST((c.idle(0, contended) == idle_result::work_found));
  BOOST_TEST(contended.looks == 3);
  BOOST_TEST(c.counters(0).parks.count() == 0u);
}

BOOST_AUTO_TEST_CASE(an_injection_wakes_exactly_one_and_the_highest) {
  std::atomic<int> taken_by{-1};
  idle_rig rig(4, never_looks);
  rig.start([&](unsigned id, int) { taken_by = static_cast<int>(id); });
  rig.wait_until([&] { return parks(rig) == 4; });
  rig.inject(1);
  rig.wait_until([&] { return parks(rig) > 4; });
  rig.stop();
  BOOST_TEST(parks(rig) == 5u);
  BOOST_TEST(taken_by.load() == 3);
}

BOOST_AUTO_TEST_CASE(with_nobody_asleep_nobody_is_woken) {
  smarm::detail::futex_driver driver;
  coordinator c(2, driver, never_looks);
  c.wake_for_injection();
  c.wake_for_work(0);
  c.verdict_changed();
  c.cover(0);
  BOOST_TEST(c.counters(0).wakes.count() == 0u);
  BOOST_TEST(c.sleepers() == 0u);
  BOOST_TEST(!c.searched());
}

BOOST_AUTO_TEST_CASE(a_lone_message_wakes_nobody_and_surplus_wakes_one) {
  std::atomic<int> others{0};
  std::atomic<bool> checked{false};
  std::uint64_t after_lone = 99;
  std::uint64_t after_surplus = 99;
  idle_rig rig(2, never_looks);
  rig.start([&](unsigned id, int item) {
    if (item != 1) {
      ++others;
      return;
    }
    rig.message(id, 2);
    after_lone = rig.idle().counters(id).wakes.count();
    rig.message(id, 3);
    after_surplus = rig.idle().counters(id).wakes.count();
    rig.wait_until([&] { return others.load() == 1; }); // the sibling takes one of two
    checked = true;
  });
  rig.wait_until_quiet();
  rig.inject(1);
  rig.wait_until([&] { return checked.load() && others.load() == 2; });
  rig.stop();
  BOOST_TEST(after_lone == 0u);
  BOOST_TEST(after_surplus == 1u);
}

BOOST_AUTO_TEST_CASE(a_message_behind_a_long_running_actor_is_taken_by_the_standby) {
  std::atomic<bool> taken{false};
  idle_rig rig(3);
  rig.start([&](unsigned id, int item) {
    if (item == 1) {
      rig.message(id, 2);
      rig.wait_until([&] { return taken.load(); });
    } else {
      taken = true;
    }
  });
  for (int i = 0; i < 20; ++i) {
    rig.wait_until_quiet();
    taken = false;
    rig.inject(1);
    rig.wait_until([&] { return taken.load(); });
  }
  BOOST_TEST(taken.load());
}

BOOST_AUTO_TEST_CASE(a_wake_that_meets_the_end_leaves_no_searcher_behind) {
  smarm::detail::futex_driver driver;
  coordinator c(2, driver, never_looks);
  struct source {
    coordinator& c;
    bool take(bool) noexcept { return false; }
    bool pending(bool) noexcept { return false; }
    bool finished() noexcept {
      c.verdict_changed(); // claims the scheduler that is about to see the end
      return true;
    }
  } ends{c};
  BOOST_TEST((c.idle(1, ends) == idle_result::finished));
  BOOST_TEST(c.sleepers() == 0u);
  BOOST_TEST(!c.searched());
}

BOOST_AUTO_TEST_CASE(everybody_returns_at_the_end) {
  for (int i = 0; i < 50; ++i) {
    idle_rig rig(8, i % 2 == 0 ? never_looks : idle_options{});
    rig.start([](unsigned, int) {});
    rig.end();
    rig.join();
    BOOST_TEST(rig.idle().standby() == nobody);
  }
}

BOOST_AUTO_TEST_CASE(one_scheduler_at_a_time_keeps_time) {
  idle_rig rig(3, never_looks);
  rig.arm(2, linux_futex::now() + hour, 0);
  rig.start([](unsigned, int) {});
  rig.wait_until_quiet();
  rig.wait_until([&] { return rig.idle().timekeeper() != nobody; });
  BOOST_TEST(rig.idle().timekeeper() < 3u);
}

BOOST_AUTO_TEST_CASE(an_earlier_timer_from_outside_wakes_the_timekeeper) {
  std::atomic<int> fired{0};
  idle_rig rig(2, never_looks);
  rig.start([&](unsigned, int) { ++fired; });
  rig.arm(0, linux_futex::now() + hour, 0);
  rig.wait_until_quiet();
  rig.wait_until([&] { return rig.idle().timekeeper() != nobody; });
  rig.arm(1, linux_futex::now() + ms, 1);
  rig.wait_until([&] { return fired.load() == 1; });
  rig.wait_until_quiet();
  rig.wait_until([&] { return rig.idle().timekeeper() != nobody; });
  BOOST_TEST(rig.idle().earliest() > linux_futex::now() + ms);
}

BOOST_AUTO_TEST_CASE(a_first_timer_from_outside_finds_a_timekeeper) {
  std::atomic<int> fired{0};
  idle_rig rig(2, never_looks);
  rig.start([&](unsigned, int) { ++fired; });
  rig.wait_until_quiet();
  rig.arm(1, linux_futex::now() + ms, 1);
  rig.wait_until([&] { return fired.load() == 1; });
  BOOST_TEST(rig.idle().earliest() == no_deadline);
}

BOOST_AUTO_TEST_CASE(a_later_timer_leaves_the_timekeeper_asleep) {
  idle_rig rig(2, never_looks);
  rig.arm(0, linux_futex::now() + hour, 0);
  rig.start([](unsigned, int) {});
  rig.wait_until([&] { return parks(rig) == 2; });
  BOOST_TEST(rig.idle().timekeeper() != nobody);
  rig.arm(0, linux_futex::now() + 2 * hour, 1);
  rig.arm(1, linux_futex::now() + 2 * hour, 2);
  rig.stop();
  BOOST_TEST(parks(rig) == 2u);
}

BOOST_AUTO_TEST_CASE(deadlines_are_kept_per_wheel_and_the_earliest_counts) {
  smarm::detail::futex_driver driver;
  coordinator c(2, driver);
  BOOST_TEST(c.earliest() == no_deadline);
  BOOST_TEST(!c.deadline_due(0));
  c.note_own_deadline(0, 500);
  c.note_deadline(1, 300);
  BOOST_TEST(c.earliest() == 300);
  BOOST_TEST(c.next_deadline(0) == 500);
  BOOST_TEST(c.deadline_due(0, 500));
  BOOST_TEST(!c.deadline_due(0, 499));
  BOOST_TEST(c.deadline_due(0)); // long ago
  c.note_deadline(1, no_deadline);
  BOOST_TEST(c.earliest() == 500);
  c.note_own_deadline(0, 700);
  BOOST_TEST(c.earliest() == 700);
}

BOOST_AUTO_TEST_CASE(timers_fire_while_one_scheduler_never_comes_back) {
  std::atomic<int> fired{0};
  idle_rig rig(2);
  rig.start([&](unsigned id, int item) {
    if (item == 1) { // arms a timer, and is busy until it has fired
      rig.arm_own(id, linux_futex::now() + ms, 0);
      rig.wait_until([&] { return fired.load() % 2 == 1; });
      ++fired;
    } else {
      ++fired;
    }
  });
  for (int i = 0; i < 10; ++i) {
    rig.wait_until_quiet();
    rig.inject(1);
    rig.wait_until([&] { return fired.load() == 2 * (i + 1); });
  }
  BOOST_TEST(fired.load() == 20);
}

BOOST_AUTO_TEST_CASE(one_timer_may_wait_for_what_another_one_started) {
  std::atomic<int> fired{0};
  idle_rig rig(2);
  rig.start([&](unsigned id, int timer) {
    if (timer == -1) {
      // Armed by the one that is then stuck, so that only the other can fire it, however late.
      rig.arm_own(id, linux_futex::now() + ms, 1);
      rig.wait_until([&] { return fired.load() == 1; });
    }
    ++fired;
  });
  rig.wait_until_quiet();
  rig.arm(0, linux_futex::now() + ms, 0);
  rig.wait_until([&] { return fired.load() == 2; });
  BOOST_TEST(fired.load() == 2);
}

BOOST_AUTO_TEST_CASE(a_scheduler_alone_lives_on_injections_and_timers) {
  std::atomic<int> seen{0};
  idle_rig rig(1);
  rig.start([&](unsigned, int) { ++seen; });
  for (int i = 0; i < 200; ++i) {
    rig.inject(i);
    rig.arm(0, linux_futex::now() + 50'000, i);
    rig.wait_until([&] { return seen.load() == 2 * (i + 1); });
  }
  rig.stop();
  BOOST_TEST(seen.load() == 400);
  BOOST_TEST(rig.idle().counters(0).wakes.count() == 0u);
}

// A driver that something happens in: whoever sleeps there is interrupted, never woken by futex.
BOOST_AUTO_TEST_CASE(the_last_one_awake_sleeps_in_the_driver) {
  struct loop final : smarm::detail::idle_driver {
    bool wait_until(std::int64_t deadline, smarm::detail::parker& own) noexcept override {
      inside.fetch_add(1);
      if (!own.enter(*this)) {
        inside.fetch_sub(1);
        return true;
      }
      most.store(std::max(most.load(), inside.load()));
      (void)sleeper.park(deadline);
      inside.fetch_sub(1);
      return own.leave();
    }
    void interrupt() noexcept override {
      ++interrupts;
      sleeper.unpark();
    }
    bool poll() noexcept override { return false; }
    bool needs_sleeper() const noexcept override { return true; }
    smarm::detail::parker sleeper;
    std::atomic<int> inside{0}, most{0}, interrupts{0};
  } driver;
  std::atomic<int> seen{0};
  idle_rig rig(2, {}, &driver);
  rig.start([&](unsigned, int) { ++seen; });
  for (int i = 0; i < 50; ++i) {
    rig.wait_until_quiet();
    rig.wait_until([&] { return driver.inside.load() == 1; });
    rig.inject(1);
    rig.inject(2);
    rig.wait_until([&] { return seen.load() == 2 * (i + 1); });
  }
  rig.stop();
  BOOST_TEST(driver.most.load() == 1);
  BOOST_TEST(driver.interrupts.load() > 0);
}

// Until when a sleeper asks the driver to sleep, after timers fired at `fired` and with one due later.
std::int64_t sleeps_until(std::int64_t slack, std::int64_t fired, std::int64_t due) {
  struct recording final : smarm::detail::idle_driver {
    bool wait_until(std::int64_t deadline, smarm::detail::parker&) noexcept override {
      asked = deadline;
      return true;
    }
    void interrupt() noexcept override {}
    bool poll() noexcept override { return false; }
    bool needs_sleeper() const noexcept override { return true; }
    std::int64_t asked = 0;
  } driver;
  struct ends_after_one_sleep {
    recording& driver;
    bool take(bool) noexcept { return false; }
    bool pending(bool) noexcept { return false; }
    bool finished() noexcept { return driver.asked != 0; }
  } source{driver};
  coordinator c(1, driver, {.spin_ns = 0, .timer_slack_ns = slack});
  c.note_own_deadline(0, due);
  if (fired != 0) {
    c.expired(fired);
  }
  BOOST_TEST((c.idle(0, source) == idle_result::finished));
  return driver.asked;
}

BOOST_AUTO_TEST_CASE(deadlines_close_to_one_that_woke_share_the_next_wake_up) {
  const std::int64_t now = linux_futex::now() + hour;
  BOOST_TEST(sleeps_until(ms, now, now + 1) == now + ms);
  BOOST_TEST(sleeps_until(ms, now, now + ms - 1) == now + ms);
  BOOST_TEST(sleeps_until(ms, now, now + ms) == now + ms);
  BOOST_TEST(sleeps_until(ms, now, now + ms + 1) == now + ms + 1);
  BOOST_TEST(sleeps_until(ms, now, no_deadline) == no_deadline);
}

BOOST_AUTO_TEST_CASE(a_deadline_that_comes_alone_or_without_slack_is_met) {
  const std::int64_t now = linux_futex::now() + hour;
  BOOST_TEST(sleeps_until(ms, 0, now + 1) == now + 1);
  BOOST_TEST(sleeps_until(0, now, now + 1) == now + 1);
}

BOOST_AUTO_TEST_CASE(sixty_four_schedulers_work_without_a_searcher) {
  std::atomic<int> seen{0};
  idle_rig rig(64);
  rig.start([&](unsigned, int) { ++seen; });
  for (int i = 0; i < 100; ++i) {
    rig.inject(i);
  }
  rig.wait_until([&] { return seen.load() == 100; });
  BOOST_TEST(!rig.idle().searched());
  rig.wait_until_quiet();
  rig.stop();
  BOOST_TEST(seen.load() == 100);
}

BOOST_AUTO_TEST_SUITE_END()
