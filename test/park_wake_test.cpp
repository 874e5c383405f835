// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Schedulers that sleep and what gets them up: work from anywhere, the end of a run, and timers
// that nobody else looks after. What is not woken shows as a hang.

#define BOOST_TEST_MODULE park_wake
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
namespace this_actor = smarm::this_actor;

namespace {

smarm::config quiet(unsigned schedulers) {
  return {.schedulers = schedulers, .reports = [](const smarm::report&) {}};
}

// Returns once every other scheduler sleeps; the caller occupies its own meanwhile.
void wait_until_the_others_sleep() {
  const auto& idle = this_runtime().coordination;
  const std::uint64_t others = ((std::uint64_t{1} << idle.schedulers()) - 1) &
                               ~(std::uint64_t{1} << this_actor::scheduler());
  spin_until([&] { return idle.sleepers() == others; });
}

} // namespace

BOOST_AUTO_TEST_SUITE(park_wake_suite, *boost::unit_test::timeout(120))

// ---- the end of a run

BOOST_AUTO_TEST_CASE(run_returns_though_the_sleep_that_a_scheduler_sleeps_towards_was_stopped) {
  for (const unsigned schedulers : {2u, 4u}) {
    std::size_t stopped = 0;
    smarm::runtime(quiet(schedulers)).run([&] {
      auto sleeper = smarm::spawn([] { this_actor::sleep_for(24h); });
      until([&] { return parked(sleeper.id()); });
      wait_until_the_others_sleep();
      (void)smarm::request_stop(sleeper.id());
      stopped += sleeper.join().kind() == smarm::exit_kind::stopped;
    });
    BOOST_TEST(stopped == 1u);
  }
}

BOOST_AUTO_TEST_CASE(run_returns_from_every_kind_of_rest) {
  for (int round = 0; round < 100; ++round) {
    smarm::runtime(quiet(3)).run([&] {
      if (round % 2 == 0) {
        wait_until_the_others_sleep();
      }
      if (round % 3 == 0) {
        (void)smarm::spawn([] { this_actor::sleep_for(20us); }).join();
      }
    });
  }
}

// ---- work

BOOST_AUTO_TEST_CASE(a_spawn_is_taken_over_by_one_that_sleeps) {
  for (int round = 0; round < 50; ++round) {
    smarm::runtime(quiet(2)).run([&] {
      wait_until_the_others_sleep();
      std::atomic<bool> ran{false};
      auto child = smarm::spawn([&] { ran = true; });
      spin_until([&] { return ran.load(); }); // never gives up its own scheduler
      (void)child.join();
    });
  }
}

BOOST_AUTO_TEST_CASE(a_message_to_one_that_last_ran_here_is_not_held_up_by_a_busy_sender) {
  for (int round = 0; round < 30; ++round) {
    smarm::runtime(quiet(2)).run([&] {
      tokens gate;
      std::atomic<bool> ran{false};
      auto receiver = smarm::spawn([&] {
        gate.take();
        ran = true;
      });
      until([&] { return parked(receiver.id()); });
      wait_until_the_others_sleep();
      gate.give();
      spin_until([&] { return ran.load(); });
      (void)receiver.join();
    });
  }
}

BOOST_AUTO_TEST_CASE(what_became_ready_while_all_were_busy_runs_without_any_further_event) {
  std::atomic<int> ran{0};
  constexpr int waiting = 100;
  smarm::runtime(quiet(2)).run([&] {
    std::vector<std::unique_ptr<tokens>> gates;
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < waiting; ++i) {
      gates.push_back(std::make_unique<tokens>());
      all.push_back(smarm::spawn([&ran, &gate = *gates.back()] {
        gate.take();
        ++ran;
      }));
    }
    until([&] { return parked(all.back().id()) && parked(all.front().id()); });
    for (auto& h : all) {
      until([&] { return parked(h.id()); });
    }
    std::atomic<int> busy{0};
    std::atomic<bool> release{false};
    std::vector<smarm::join_handle> spinning;
    for (unsigned s = 0; s < 2; ++s) {
      spinning.push_back(smarm::spawn({.pinned_to = s}, [&] {
        ++busy;
        spin_until([&] { return release.load(); });
      }));
    }
    std::thread giver([&] {
      wait_until([&] { return busy == 2; });
      for (auto& g : gates) {
        g->give();
      }
      release = true;
    });
    for (auto& h : all) {
      (void)h.join();
    }
    this_actor::run_on_thread_stack([&] { giver.join(); });
    for (auto& h : spinning) { // they look at what is on this stack
      (void)h.join();
    }
  });
  BOOST_TEST(ran == waiting);
}

BOOST_AUTO_TEST_CASE(one_wake_for_each_park_a_hundred_thousand_times) {
  constexpr int trips = 100'000 / (SMARM_TSAN || SMARM_ASAN ? 20 : 1);
  int back = 0;
  smarm::runtime(quiet(2)).run([&] {
    tokens there;
    tokens and_back;
    auto echo = smarm::spawn([&] {
      for (int i = 0; i < trips; ++i) {
        there.take();
        and_back.give();
      }
    });
    for (int i = 0; i < trips; ++i) {
      there.give();
      and_back.take();
      ++back;
    }
    (void)echo.join();
  });
  BOOST_TEST(back == trips);
}

// They stay where they are, on one scheduler; the other one is not called each time, which would cost a
// system call.
BOOST_AUTO_TEST_CASE(a_pair_that_talks_wakes_hardly_anybody) {
  constexpr std::uint64_t trips = 50'000;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    tokens there;
    tokens and_back;
    auto echo = smarm::spawn([&] {
      for (std::uint64_t i = 0; i < trips; ++i) {
        there.take();
        and_back.give();
      }
    });
    for (std::uint64_t i = 0; i < trips; ++i) {
      there.give();
      and_back.take();
    }
    (void)echo.join();
  });
  BOOST_TEST(rt.stats().wakes < trips / 10);
}

BOOST_AUTO_TEST_CASE(a_thread_wakes_a_sleeping_runtime_each_time) {
  constexpr int trips = 2000;
  int back = 0;
  for (const unsigned schedulers : {1u, 2u}) {
    smarm::runtime rt(quiet(schedulers));
    rt.start();
    tokens there;
    tokens and_back;
    auto echo = rt.handle().spawn([&] {
      for (int i = 0; i < trips; ++i) {
        there.take();
        and_back.give();
      }
    });
    for (int i = 0; i < trips; ++i) {
      there.give();
      and_back.take(); // the thread sleeps likewise
      ++back;
    }
    (void)echo.join();
    BOOST_TEST(rt.shutdown(1h).empty());
  }
  BOOST_TEST(back == 2 * trips);
}

// ---- timers

BOOST_AUTO_TEST_CASE(a_timer_of_a_busy_scheduler_is_fired_by_a_sleeping_one) {
  for (int round = 0; round < 10; ++round) {
    smarm::runtime(quiet(2)).run([&] {
      std::atomic<bool> woken{false};
      auto sleeper = smarm::spawn([&] {
        this_actor::sleep_for(2ms);
        woken = true;
      });
      until([&] { return parked(sleeper.id()); });
      spin_until([&] { return woken.load(); }); // no checkpoint: only the other one can see to it
      (void)sleeper.join();
    });
  }
}

// Whoever keeps the time is among those that are called to work, and does not come back from it.
BOOST_AUTO_TEST_CASE(a_timekeeper_that_goes_to_work_hands_its_part_on) {
  for (const unsigned schedulers : {2u, 3u}) {
    for (int round = 0; round < 25; ++round) {
      std::atomic<unsigned> woken{0};
      smarm::runtime rt(quiet(schedulers));
      rt.start();
      std::vector<smarm::join_handle> all;
      for (unsigned s = 0; s < schedulers; ++s) {
        all.push_back(rt.handle().spawn({.pinned_to = s}, [&] {
          auto sleeper = smarm::spawn([&] { // its timer is on this scheduler's wheel
            this_actor::sleep_for(3ms);
            ++woken;
          });
          (void)sleeper.join();
        }));
      }
      for (unsigned busy = 1; busy < schedulers; ++busy) {
        all.push_back(rt.handle().spawn([&] { spin_until([&] { return woken > 0; }); }));
      }
      for (auto& h : all) {
        (void)h.join();
      }
      BOOST_TEST(woken == schedulers);
      BOOST_TEST(rt.shutdown(1h).empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_nearer_deadline_gets_up_who_sleeps_towards_a_farther_one) {
  for (const unsigned schedulers : {1u, 2u}) {
    int woken = 0;
    smarm::runtime(quiet(schedulers)).run([&] {
      auto far = smarm::spawn([] { this_actor::sleep_for(24h); });
      until([&] { return parked(far.id()); });
      if (schedulers > 1) {
        wait_until_the_others_sleep();
      }
      for (int i = 0; i < 20; ++i) {
        this_actor::sleep_for(100us);
        ++woken;
      }
      (void)smarm::request_stop(far.id());
      (void)far.join();
    });
    BOOST_TEST(woken == 20);
  }
}

// ---- a wake that comes first

// Woken before it has parked.
struct woken_at_once {
  smarm::detail::enrolment enroll(const smarm::detail::registration& r) noexcept {
    smarm::detail::wake(r);
    return smarm::detail::enrolment::enrolled;
  }
  bool satisfied() noexcept { return true; }
  bool withdraw() noexcept { return false; }
};

BOOST_AUTO_TEST_CASE(a_wake_before_the_park_ends_it_whether_a_stop_might_or_not) {
  using namespace smarm::detail;
  int ended = 0;
  smarm::runtime(quiet(1)).run([&] {
    auto other = smarm::spawn([] { this_actor::yield(); });
    woken_at_once source;
    ended += wait_for_source<false>(source, wait_kind::lock) == wait_end::ready;
    ended += wait_for_source<false, stoppable::no>(source, wait_kind::lock) == wait_end::ready;
    const smarm::disable_stop masked;
    ended += wait_for_source<false>(source, wait_kind::lock) == wait_end::ready;
    (void)other.join();
  });
  BOOST_TEST(ended == 3);
}

BOOST_AUTO_TEST_SUITE_END()
