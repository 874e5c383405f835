// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Sleeps and other waits with a deadline: never early, in order, by nobody's leftover, and also when
// no scheduler is ever idle.

#define BOOST_TEST_MODULE sleep
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <numeric>
#include <random>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::detail::deadline_after;
using smarm::detail::deadline_of;
using smarm::detail::no_deadline;
using std::chrono::steady_clock;

namespace {

const smarm::report_sink no_reports = [](const smarm::report&) {};

using hours_point = std::chrono::time_point<steady_clock, std::chrono::hours>;

// Whether this sleep ended too soon.
bool early(std::chrono::nanoseconds time) {
  const auto begin = steady_clock::now();
  smarm::this_actor::sleep_for(time);
  return steady_clock::now() - begin < time;
}

} // namespace

BOOST_AUTO_TEST_SUITE(sleep_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_deadline_saturates_and_is_never_rounded_down) {
  const auto now = [] { return smarm::detail::monotonic_now(); };
  BOOST_TEST(deadline_after(std::chrono::hours::max()) == no_deadline);
  BOOST_TEST(deadline_after(std::chrono::nanoseconds::max()) == no_deadline);
  BOOST_TEST(deadline_after(std::chrono::duration<double>(1e300)) == no_deadline);
  BOOST_TEST(deadline_after(std::chrono::duration<double>(
               std::numeric_limits<double>::infinity())) == no_deadline);
  for (const std::int64_t past :
       {deadline_after(0s), deadline_after(-1h), deadline_after(std::chrono::hours::min()),
        deadline_after(std::chrono::duration<double>(std::numeric_limits<double>::quiet_NaN()))}) {
    BOOST_TEST(past <= now());
  }
  const std::int64_t before = now();
  BOOST_TEST(deadline_after(std::chrono::duration<double, std::nano>(0.25)) >= before + 1);
  BOOST_TEST(deadline_after(1ns) >= before + 1);
  BOOST_TEST(deadline_after(1h) >= before + 3'600'000'000'000);

  BOOST_TEST(deadline_of(hours_point::max()) == no_deadline);
  BOOST_TEST(deadline_of(steady_clock::time_point::max()) == no_deadline);
  BOOST_TEST(deadline_of(hours_point::min()) <= now());
  BOOST_TEST(deadline_of(steady_clock::time_point::min()) <= now());
  BOOST_TEST(deadline_of(steady_clock::time_point(5ns)) == 5);
  using fraction = std::chrono::duration<double, std::nano>;
  BOOST_TEST(deadline_of(std::chrono::time_point<steady_clock, fraction>(fraction(5.25))) == 6);
}

BOOST_AUTO_TEST_CASE(no_sleep_is_too_short) {
  std::atomic<int> too_short{0};
  for (const unsigned schedulers : {1u, 2u, 4u}) {
    smarm::runtime rt({.schedulers = schedulers});
    rt.run([&] {
      std::vector<smarm::join_handle> all;
      for (const auto time : {1ns, 999ns, 1'000ns, 1'001ns, 50'000ns, 500'000ns, 1'000'000ns,
                              4'999'999ns, 40'000'000ns}) {
        all.push_back(smarm::spawn([&, time] {
          for (int i = 0; i < 3; ++i) {
            too_short += early(time);
          }
        }));
      }
      for (auto& h : all) {
        (void)h.join();
      }
    });
  }
  BOOST_TEST(too_short == 0);
}

BOOST_AUTO_TEST_CASE(a_sleep_of_less_than_a_millisecond_sleeps_and_does_not_poll) {
  int too_short = 0;
  smarm::runtime rt({.schedulers = 1});
  rt.run([&] {
    for (int i = 0; i < 100; ++i) {
      too_short += early(500us);
    }
  });
  BOOST_TEST(too_short == 0);
  BOOST_TEST(rt.stats().sleeps >= 1u);
  BOOST_TEST(rt.stats().sleeps <= 300u); // a timeout cut to whole milliseconds would be nothing but polls
}

BOOST_AUTO_TEST_CASE(a_sleep_that_is_over_already_is_a_yield) {
  recorder seen;
  smarm::run([&] {
    const auto let_others_go_first = [&](auto sleep) {
      auto other = smarm::spawn([&] { seen.note("other"); });
      sleep();
      seen.note("sleeper");
      (void)other.join();
    };
    let_others_go_first([] { smarm::this_actor::sleep_for(0s); });
    let_others_go_first([] { smarm::this_actor::sleep_for(-5h); });
    let_others_go_first([] { smarm::this_actor::sleep_for(std::chrono::hours::min()); });
    let_others_go_first([] { smarm::this_actor::sleep_until(steady_clock::now() - 1s); });
    let_others_go_first([] { smarm::this_actor::sleep_until(steady_clock::time_point::min()); });
    let_others_go_first([] { smarm::this_actor::sleep_until(hours_point::min()); });
  });
  BOOST_TEST(seen.size() == 12u);
  const auto all = seen.all();
  for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
    BOOST_TEST(all[i] == "other");
    BOOST_TEST(all[i + 1] == "sleeper");
  }
}

BOOST_AUTO_TEST_CASE(a_sleep_for_ever_lasts_until_it_is_stopped) {
  std::vector<std::size_t> armed;
  std::size_t stopped = 0;
  smarm::runtime rt({.schedulers = 1, .reports = no_reports});
  rt.run([&] {
    std::vector<smarm::join_handle> all;
    all.push_back(smarm::spawn([] { smarm::this_actor::sleep_for(std::chrono::hours::max()); }));
    all.push_back(smarm::spawn([] { smarm::this_actor::sleep_for(std::chrono::nanoseconds::max()); }));
    all.push_back(smarm::spawn([] { smarm::this_actor::sleep_until(hours_point::max()); }));
    all.push_back(smarm::spawn([] { smarm::this_actor::sleep_until(steady_clock::time_point::max()); }));
    all.push_back(smarm::spawn([] { smarm::this_actor::sleep_for(24h * 365 * 200); }));
    smarm::this_actor::sleep_for(1ms);
    armed.push_back(rt.stats().armed_timers);
    for (auto& h : all) {
      smarm::request_stop(h.id());
    }
    for (auto& h : all) {
      stopped += h.join().kind() == smarm::exit_kind::stopped;
    }
    armed.push_back(rt.stats().armed_timers);
  });
  CHECK_LIST(armed, {5, 0}); // a timer goes at once, not at its deadline
  BOOST_TEST(stopped == 5u);
}

// ---- order

BOOST_AUTO_TEST_CASE(sleepers_wake_by_deadline_and_those_of_one_deadline_as_they_fell_asleep) {
  constexpr int groups = 40;
  constexpr int members = 5;
  std::vector<int> expected(groups * members);
  std::iota(expected.begin(), expected.end(), 0);
  std::vector<int> woken;
  for (auto head_start = 50ms; woken.empty(); head_start *= 2) {
    smarm::run([&] {
      // Each round takes one member of every group, so members of a group arm in their order.
      std::vector<int> order(groups);
      std::iota(order.begin(), order.end(), 0);
      std::minstd_rand pick(7);
      const auto begin = steady_clock::now() + head_start;
      std::vector<int> seen; // one scheduler: one at a time
      std::vector<smarm::join_handle> all;
      for (int member = 0; member < members; ++member) {
        std::shuffle(order.begin(), order.end(), pick);
        for (const int group : order) {
          all.push_back(smarm::spawn([&seen, begin, group, number = group * members + member] {
            smarm::this_actor::sleep_until(begin + group * 10us);
            seen.push_back(number);
          }));
        }
      }
      smarm::this_actor::yield(); // all of them are asleep now
      const bool in_time = steady_clock::now() < begin;
      for (auto& h : all) {
        (void)h.join();
      }
      if (in_time) { // else the machine was too slow for the order to mean anything
        woken = seen;
      }
    });
  }
  BOOST_TEST(woken == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(many_sleepers_all_wake_and_none_early) {
  std::atomic<int> too_short{0};
  std::atomic<int> woken{0};
  constexpr int sleepers = 5000;
  smarm::runtime rt({.schedulers = 2});
  rt.run([&] {
    std::minstd_rand pick(3);
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < sleepers; ++i) {
      all.push_back(smarm::spawn([&, time = std::chrono::nanoseconds(pick() % 20'000'000)] {
        too_short += early(time);
        ++woken;
      }));
    }
    for (auto& h : all) {
      (void)h.join();
    }
  });
  BOOST_TEST(woken == sleepers);
  BOOST_TEST(too_short == 0);
  BOOST_TEST(rt.stats().armed_timers == 0u);
}

// ---- nobody's leftover

// Gives its registration away for good, as a careless source would.
struct leaky_source {
  smarm::detail::registration& leaked;
  smarm::detail::enrolment enroll(const smarm::detail::registration& r) noexcept {
    leaked = r;
    return smarm::detail::enrolment::enrolled;
  }
  bool satisfied() noexcept { return false; }
  bool withdraw() noexcept { return true; }
};

BOOST_AUTO_TEST_CASE(a_waker_of_an_earlier_wait_ends_no_later_one) {
  std::atomic<int> too_short{0};
  smarm::runtime rt({.schedulers = 2});
  rt.run([&] {
    for (int i = 0; i < 10; ++i) {
      smarm::detail::registration leaked;
      leaky_source source{leaked};
      (void)smarm::detail::wait_for_source<true>(source, smarm::detail::wait_kind::message,
                                                 deadline_after(10us));
      std::atomic<bool> over{false};
      std::atomic<bool> began{false};
      auto nuisance = smarm::spawn([&] {
        while (!over) {
          smarm::detail::wake(leaked);
          began = true;
          smarm::this_actor::yield();
        }
      });
      until([&] { return began.load(); });
      for (int n = 0; n < 5; ++n) {
        too_short += early(300us);
      }
      over = true;
      (void)nuisance.join();
    }
  });
  BOOST_TEST(too_short == 0);
}

BOOST_AUTO_TEST_CASE(a_wake_and_a_deadline_at_the_same_time_lose_no_token) {
  std::atomic<unsigned> taken{0};
  constexpr unsigned each = 400;
  smarm::runtime rt({.schedulers = 4});
  rt.run([&] {
    std::vector<smarm::join_handle> all;
    std::vector<std::unique_ptr<tokens>> gates;
    for (int i = 0; i < 8; ++i) {
      gates.push_back(std::make_unique<tokens>());
      tokens& gate = *gates.back();
      all.push_back(smarm::spawn([&] {
        for (unsigned got = 0; got < each;) {
          if (gate.take_for(50us)) {
            ++got;
            ++taken;
          }
        }
      }));
      all.push_back(smarm::spawn([&] {
        for (unsigned n = 0; n < each; ++n) {
          gate.give();
          if (n % 8 == 0) {
            smarm::this_actor::sleep_for(45us);
          } else {
            smarm::this_actor::yield();
          }
        }
      }));
    }
    for (auto& h : all) {
      (void)h.join();
    }
  });
  BOOST_TEST(taken == 8 * each);
}

// ---- when nobody is idle

BOOST_AUTO_TEST_CASE(due_timers_fire_though_no_scheduler_is_ever_idle) {
  bool too_short = true;
  smarm::runtime rt({.schedulers = 4});
  rt.run([&] {
    std::atomic<bool> over{false};
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < 8; ++i) {
      all.push_back(smarm::spawn([&] { until([&] { return over.load(); }); }));
    }
    too_short = early(10ms);
    over = true; // nothing else ends them
    for (auto& h : all) {
      (void)h.join();
    }
  });
  BOOST_TEST(!too_short);
}

BOOST_AUTO_TEST_CASE(due_timers_fire_though_the_only_other_actor_never_stops_yielding) {
  bool too_short = true;
  smarm::run([&] {
    std::atomic<bool> over{false};
    auto spinner = smarm::spawn([&] { until([&] { return over.load(); }); });
    too_short = early(2ms);
    over = true;
    (void)spinner.join();
  });
  BOOST_TEST(!too_short);
}

BOOST_AUTO_TEST_SUITE_END()
