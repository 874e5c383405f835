// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Messages that are sent again and again: when they come, what becomes of those that could not come in
// time, and how it ends. Where times matter, the clock is the test's own.

#define BOOST_TEST_MODULE tick
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/runtime.hpp>
#include <smarm/send_after.hpp>
#include <smarm/spawn.hpp>
#include <smarm/tick.hpp>

#include <boost/system/system_error.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::missed_tick;
using smarm::tick_every;
using smarm::timer_id;
using smarm::detail::no_deadline;
using smarm::detail::tick_schedule;
using std::chrono::steady_clock;

namespace {

std::size_t armed_timers() { return this_runtime().stats().armed_timers; }

// Does something when it is copied.
struct at_copy {
  std::function<void()> what;
  explicit at_copy(std::function<void()> w) : what(std::move(w)) {}
  at_copy(at_copy&&) = default;
  at_copy& operator=(at_copy&&) = default;
  at_copy(const at_copy& other) : what(other.what) { what(); }
};

struct counted {
  counted() { ++alive; }
  counted(const counted&) { ++alive; }
  counted& operator=(const counted&) = default;
  ~counted() { --alive; }
  static inline std::atomic<int> alive{0};
};

// A wheel whose clock the test turns. In an actor.
struct own_wheel {
  smarm::detail::futex_driver driver;
  smarm::detail::coordinator nobody{1, driver};
  smarm::detail::timer_set set{nobody, 0};
  const std::int64_t start = smarm::detail::monotonic_now();

  timer_id tick(std::int64_t period, const smarm::sender<int>& to, missed_tick policy) {
    const tick_schedule schedule{start + period, period, policy};
    return smarm::detail::arm_delivery(
        set, smarm::detail::repeated_send<smarm::sender<int>>::make(to, 1, schedule), schedule.due);
  }
};

std::int64_t after(tick_schedule& s, std::int64_t now) {
  s.advance(now);
  return s.due;
}

int drain(smarm::receiver<int>& rx) {
  int count = 0;
  while (rx.try_recv()) {
    ++count;
  }
  return count;
}

} // namespace

BOOST_AUTO_TEST_SUITE(tick_suite, *boost::unit_test::timeout(120))

// ---- when

BOOST_AUTO_TEST_CASE(ticks_in_time_come_at_the_multiples_of_the_period_or_a_period_after_the_last) {
  for (const missed_tick policy : {missed_tick::skip, missed_tick::burst}) {
    tick_schedule s{1000, 100, policy};
    BOOST_TEST(after(s, 1000) == 1100);
    BOOST_TEST(after(s, 1199) == 1200); // late, but not missed
    BOOST_TEST(after(s, 1203) == 1300);
  }
  tick_schedule s{1000, 100, missed_tick::delay};
  BOOST_TEST(after(s, 1000) == 1100);
  BOOST_TEST(after(s, 1199) == 1299);
  BOOST_TEST(after(s, 1303) == 1403);
}

BOOST_AUTO_TEST_CASE(missed_ticks_are_skipped_made_up_for_or_move_the_rest) {
  tick_schedule skip{1000, 100, missed_tick::skip};
  BOOST_TEST(after(skip, 1350) == 1400);
  BOOST_TEST(after(skip, 1500) == 1600); // one that is due at this very moment was missed as well
  tick_schedule burst{1000, 100, missed_tick::burst};
  BOOST_TEST(after(burst, 1350) == 1100);
  BOOST_TEST(after(burst, 1350) == 1200);
  BOOST_TEST(after(burst, 1350) == 1300);
  BOOST_TEST(after(burst, 1350) == 1400);
  tick_schedule delay{1000, 100, missed_tick::delay};
  BOOST_TEST(after(delay, 1350) == 1450);
}

BOOST_AUTO_TEST_CASE(periods_beyond_the_end_of_time_do_not_wrap) {
  for (const missed_tick policy : {missed_tick::skip, missed_tick::burst, missed_tick::delay}) {
    tick_schedule far{no_deadline - 10, 100, policy};
    BOOST_TEST(after(far, no_deadline - 10) == no_deadline);
    tick_schedule never{no_deadline, no_deadline, policy};
    BOOST_TEST(after(never, 5) == no_deadline);
  }
}

BOOST_AUTO_TEST_CASE(a_stalled_scheduler_delivers_by_the_policy) {
  std::vector<int> counts;
  smarm::run([&] {
    for (const missed_tick policy : {missed_tick::skip, missed_tick::burst, missed_tick::delay}) {
      auto [tx, rx] = smarm::channel<int>();
      own_wheel wheel;
      const timer_id id = wheel.tick(1'000'000, tx, policy);
      const auto look_at = [&](std::int64_t us) {
        while (wheel.set.fire_due(wheel.start + us * 1000) != 0) {
        }
        counts.push_back(drain(rx));
      };
      look_at(990);    // before the first period is over
      look_at(1010);   // the first tick
      look_at(10'500); // nine more were due, and it is half a period later
      look_at(10'990);
      look_at(11'010); // the next multiple
      look_at(11'510); // and when a delayed one comes
      (void)cancel(id);
    }
  });
  CHECK_LIST(counts, {0, 1, 1, 0, 1, 0,   //
                      0, 1, 9, 0, 1, 0,   //
                      0, 1, 1, 0, 0, 1}); //
}

BOOST_AUTO_TEST_CASE(ticks_do_not_come_early) {
  int early = 0;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    const auto begin = steady_clock::now();
    const timer_id id = tick_every(200us, tx, 1);
    for (int i = 1; i <= 10; ++i) {
      (void)rx.recv();
      early += steady_clock::now() - begin < i * 200us;
    }
    (void)cancel(id);
  });
  BOOST_TEST(early == 0);
}

BOOST_AUTO_TEST_CASE(due_ticks_come_though_no_scheduler_is_ever_idle) {
  int got = 0;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    std::atomic<bool> over{false};
    std::vector<smarm::join_handle> busy;
    for (int i = 0; i < 4; ++i) {
      busy.push_back(smarm::spawn([&] { until([&] { return over.load(); }); }));
    }
    auto [tx, rx] = smarm::channel<int>();
    const timer_id id = tick_every(100us, std::exchange(tx, {}), 1);
    while (got < 20) {
      got += rx.recv().value();
    }
    over = true;
    for (auto& h : busy) {
      (void)h.join();
    }
    (void)cancel(id);
  });
  BOOST_TEST(got == 20);
}

// ---- how it ends

BOOST_AUTO_TEST_CASE(cancel_ends_a_tick_for_good_and_is_true_once) {
  std::vector<int> results;
  errc after{};
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    const timer_id id = tick_every(100us, std::exchange(tx, {}), 1);
    (void)rx.recv();
    (void)rx.recv();
    results = {id.pending(), cancel(id), cancel(id), id.pending(),
               static_cast<int>(armed_timers())};
    while (auto more = rx.recv()) { // what was sent before
    }
    after = error_of(rx.recv());
  });
  CHECK_LIST(results, {1, 1, 0, 0, 0});
  BOOST_TEST((after == errc::closed));
}

BOOST_AUTO_TEST_CASE(a_tick_ends_by_itself_when_the_receiver_is_gone) {
  std::vector<int> results;
  const int before = counted::alive;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<counted>();
    const timer_id id = tick_every(50us, tx, counted());
    (void)rx.recv();
    rx = {};
    until([&] { return armed_timers() == 0; });
    results = {id.pending(), cancel(id), counted::alive - before};
  });
  CHECK_LIST(results, {0, 0, 0});
}

BOOST_AUTO_TEST_CASE(a_tick_does_not_outlive_its_run) {
  timer_id id;
  smarm::runtime rt(quiet(2));
  for (int run = 0; run < 20; ++run) {
    auto [tx, rx] = smarm::channel<counted>();
    rt.run([&] {
      id = tick_every(1us, tx, counted()); // one is being fired as the run ends, often
      (void)rx.recv();
    });
    BOOST_TEST(!id.pending());
    BOOST_TEST(!cancel(id));
    BOOST_TEST(rt.stats().armed_timers == 0u);
  }
  BOOST_TEST(counted::alive == 0);
}

BOOST_AUTO_TEST_CASE(a_message_that_cancels_its_tick_as_it_is_copied_is_the_last) {
  std::vector<int> results;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<at_copy>();
    timer_id id;
    int copies = 0;
    id = tick_every(20us, std::exchange(tx, {}), at_copy([&] {
                      if (++copies == 3) {
                        results.push_back(cancel(id));
                        results.push_back(cancel(id));
                      }
                    }));
    int got = 0;
    while (rx.recv()) {
      ++got;
    }
    results.push_back(got);
    results.push_back(id.pending());
  });
  CHECK_LIST(results, {1, 0, 3, 0});
}

BOOST_AUTO_TEST_CASE(a_tick_that_another_callback_cancels_does_not_come) {
  std::vector<int> results;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto [to_first, first] = smarm::channel<at_copy>();
    own_wheel wheel;
    timer_id second;
    const tick_schedule schedule{wheel.start + 1000, 1000, missed_tick::skip};
    const timer_id id = smarm::detail::arm_delivery(
        wheel.set,
        smarm::detail::repeated_send<smarm::sender<at_copy>>::make(
            to_first, at_copy([&] { results.push_back(cancel(second)); }), schedule),
        schedule.due);
    second = wheel.tick(1000, tx, missed_tick::skip);
    (void)wheel.set.fire_due(wheel.start + 100'000); // both are due
    results.push_back(drain(rx));
    results.push_back(static_cast<int>(wheel.set.size()));
    (void)cancel(id);
  });
  CHECK_LIST(results, {1, 0, 1});
}

BOOST_AUTO_TEST_CASE(cancels_from_threads_against_fires_leave_nothing_behind) {
  constexpr int rounds = SMARM_TSAN ? 100 : 500;
  constexpr int threads = 2;
  int wrong = 0;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    std::atomic<int> round{0};
    std::atomic<int> done{0};
    std::atomic<int> cancelled{0};
    timer_id id;
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t) {
      all.emplace_back([&] {
        for (int r = 1; r <= rounds; ++r) {
          wait_until([&] { return round == r; });
          cancelled += cancel(id);
          ++done;
        }
      });
    }
    for (int r = 1; r <= rounds; ++r) {
      auto [tx, rx] = smarm::channel<counted>();
      id = tick_every(1us, std::exchange(tx, {}), counted(), missed_tick::burst);
      (void)rx.recv();
      done = 0;
      cancelled = 0;
      round = r;
      while (rx.recv()) { // until the tick's sender, the last one, is gone
      }
      until([&] { return done == threads; });
      wrong += cancelled != 1;
      wrong += armed_timers() != 0;
    }
    for (std::thread& t : all) {
      t.join();
    }
  });
  BOOST_TEST(wrong == 0);
  BOOST_TEST(counted::alive == 0);
}

// ---- what goes wrong

BOOST_AUTO_TEST_CASE(a_copy_that_throws_is_left_out_and_told_once) {
  basic_recorder<smarm::report> reports;
  int got = 0;
  smarm::runtime rt({.schedulers = 1, .reports = [&](const smarm::report& r) { reports.note(r); }});
  rt.run([&] {
    int copies = 0;
    auto [tx, rx] = smarm::channel<at_copy>();
    const timer_id id = tick_every(10us, std::exchange(tx, {}), at_copy([&] {
                                     if (++copies <= 3) {
                                       throw std::runtime_error("not yet");
                                     }
                                   }));
    got += rx.recv().has_value();
    got += copies >= 4;
    (void)cancel(id);
  });
  BOOST_TEST(got == 2);
  BOOST_REQUIRE(reports.size() == 1u);
  const auto first = reports.all().front();
  BOOST_TEST((first.kind == smarm::report_kind::callback_failed));
  BOOST_TEST(first.text.find("not yet") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(ticks_that_find_no_room_are_counted_and_told_of_once) {
  basic_recorder<smarm::report> reports;
  std::uint64_t refused = 0;
  smarm::runtime rt({.schedulers = 1, .reports = [&](const smarm::report& r) { reports.note(r); }});
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>({.capacity = 2, .when_full = smarm::overflow::fail});
    const timer_id id = tick_every(10us, tx, 1);
    until([&] { return tx.overflows().refused >= 5; });
    refused = tx.overflows().refused;
    (void)cancel(id);
  });
  BOOST_TEST(refused >= 5u);
  BOOST_TEST(reports.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_period_that_is_none_is_refused) {
  std::vector<boost::system::error_code> codes;
  std::string text;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    const auto refused = [&](auto period) {
      try {
        (void)tick_every(period, tx, 1);
      } catch (const boost::system::system_error& e) {
        codes.push_back(e.code());
        text = e.what();
      }
    };
    refused(0s);
    refused(-1ms);
    refused(std::chrono::duration<double>(std::nan("")));
    codes.push_back({static_cast<int>(armed_timers()), boost::system::generic_category()});
  });
  BOOST_REQUIRE(codes.size() == 4u);
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST((codes[static_cast<std::size_t>(i)] == errc::invalid_config));
  }
  BOOST_TEST(codes[3].value() == 0);
  BOOST_TEST(text.find("period") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(short_and_endless_periods_are_periods) {
  int got = 0;
  int cancelled = 0;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    const timer_id shortest = tick_every(std::chrono::duration<double, std::pico>(1), tx, 1);
    got = rx.recv().value() + rx.recv().value();
    const timer_id longest = tick_every(std::chrono::hours::max(), tx, 1, missed_tick::delay);
    smarm::this_actor::yield();
    cancelled = cancel(shortest) + cancel(longest);
  });
  BOOST_TEST(got == 2);
  BOOST_TEST(cancelled == 2);
}

// ---- from outside

BOOST_AUTO_TEST_CASE(a_plain_thread_is_told_of_the_handle_which_works) {
  auto [tx, rx] = smarm::channel<int>();
  std::string text;
  try {
    (void)tick_every(1ms, tx, 1);
  } catch (const boost::system::system_error& e) {
    text = e.what();
  }
  BOOST_TEST(text.find("runtime_handle::tick_every") != std::string::npos);

  smarm::runtime rt(quiet(2));
  BOOST_TEST((error_of(rt.handle().tick_every(1ms, tx, 1)) == errc::runtime_down));
  rt.start();
  const auto id = rt.handle().tick_every(10us, std::exchange(tx, {}), 1, missed_tick::delay);
  int got = 0;
  for (int i = 0; i < 3; ++i) {
    got += rx.recv().value();
  }
  BOOST_TEST(got == 3);
  BOOST_TEST(cancel(id.value()));
  while (rx.recv()) {
  }
  rt.wait();
}

BOOST_AUTO_TEST_SUITE_END()
