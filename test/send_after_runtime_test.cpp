// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Messages that are under way as a run ends, and those of plain threads and of other runtimes.

#define BOOST_TEST_MODULE send_after_runtime
#include <boost/test/unit_test.hpp>

#include "delayed_messages.hpp"
#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/runtime.hpp>
#include <smarm/send_after.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/system_error.hpp>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::send_after;
using smarm::send_at;
using smarm::timer_id;
using std::chrono::steady_clock;

BOOST_AUTO_TEST_SUITE(send_after_runtime_suite, *boost::unit_test::timeout(120))

// ---- the end of a run

BOOST_AUTO_TEST_CASE(a_pending_timer_neither_keeps_a_runtime_nor_outlives_its_run) {
  counted::ends = 0;
  std::vector<int> results;
  timer_id id;
  smarm::runtime rt(quiet(2));
  for (int run = 0; run < 2; ++run) { // the second time as well
    int got = 0;
    auto [tx, rx] = smarm::channel<counted>();
    rt.run([&] {
      id = send_after(1h, tx, counted(1));
      (void)send_after(1us, tx, counted(2));
      got = rx.recv().value().value;
    });
    results.push_back(got == 2);
    results.push_back(counted::ends == 2 * (run + 1));
    results.push_back(id.pending());
    results.push_back(cancel(id));
  }
  CHECK_LIST(results, {true, true, false, false, true, true, false, false});
  BOOST_TEST(counted::alive == 0);
  BOOST_TEST(rt.stats().armed_timers == 0u);
}

BOOST_AUTO_TEST_CASE(an_id_outlives_its_runtime) {
  timer_id id;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    id = send_after(1h, tx, 1);
  });
  const timer_id copy = id;
  BOOST_TEST(!cancel(copy));
  BOOST_TEST(!id.pending());
}

BOOST_AUTO_TEST_CASE(cancel_may_come_while_the_runtime_ends) {
  constexpr int rounds = 200;
  constexpr int timers = 40;
  counted::ends = 0;
  int total = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<timer_id> ids(timers);
    std::atomic<bool> armed{false};
    std::atomic<int> cancelled{0};
    std::thread other([&] {
      wait_until([&] { return armed.load(); });
      for (const timer_id& id : ids) {
        cancelled += cancel(id);
      }
    });
    {
      smarm::runtime rt(quiet(2));
      rt.run([&] {
        auto [tx, rx] = smarm::channel<counted>();
        for (int i = 0; i < timers; ++i) {
          ids[static_cast<std::size_t>(i)] =
              send_after(i % 2 == 0 ? 1h : std::chrono::nanoseconds(1us), tx, counted(i));
        }
        armed = true;
      });
    }
    other.join();
    total += cancelled <= timers;
  }
  BOOST_TEST(total == rounds);
  BOOST_TEST(counted::alive == 0);
  BOOST_TEST(counted::ends == rounds * timers);
}

BOOST_AUTO_TEST_CASE(at_the_end_of_a_run_a_message_may_arm_and_spawn_but_it_comes_to_nothing) {
  recorder seen;
  smarm::runtime rt(quiet(2));
  for (int run = 0; run < 2; ++run) {
    auto [tx, rx] = smarm::channel<at_end>();
    rt.run([&] {
      (void)send_after(1h, tx, at_end([&] {
                         const timer_id late =
                             send_after(1h, tx, at_end([&] { seen.note("destroyed"); }));
                         seen.note(late.pending() ? "armed" : "not armed");
                         const auto child = smarm::try_spawn([&] { seen.note("ran"); });
                         seen.note(error_of(child) == errc::runtime_down ? "down" : "up");
                       }));
    });
  }
  CHECK_LIST(seen.all(), {"destroyed", "not armed", "down", "destroyed", "not armed", "down"});
  BOOST_TEST(rt.stats().armed_timers == 0u);
}

BOOST_AUTO_TEST_CASE(what_a_message_spawns_as_a_run_ends_runs_in_it_or_is_refused) {
  constexpr int rounds = SMARM_TSAN ? 100 : 500;
  int wrong = 0;
  smarm::runtime rt(quiet(3));
  for (int round = 0; round < rounds; ++round) {
    std::atomic<int> tried{0};
    std::atomic<int> refused{0};
    std::atomic<int> ran{0};
    auto [tx, rx] = smarm::channel<at_end>();
    rx = {};
    rt.start();
    for (int i = 0; i < 4; ++i) {
      (void)rt.handle().send_after(std::chrono::nanoseconds(i * 3000 + round * 41 % 5000), tx,
                                   at_end([&] {
                                     ++tried;
                                     refused += !smarm::try_spawn([&] { ++ran; }).has_value();
                                   }));
    }
    rt.wait(); // no actor keeps it
    wrong += tried != 4 || refused + ran != tried;
  }
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(timers_of_two_runtimes_are_cancelled_from_each_other) {
  std::atomic<int> cancelled{0};
  std::atomic<int> armed{0};
  timer_id ids[2];
  std::vector<std::thread> runtimes;
  for (int r = 0; r < 2; ++r) {
    runtimes.emplace_back([&, r] {
      smarm::run([&, r] {
        auto [tx, rx] = smarm::channel<counted>();
        ids[r] = send_after(1h, std::exchange(tx, {}), counted(r));
        ++armed;
        until([&] { return armed == 2; });
        cancelled += cancel(ids[1 - r]);
        (void)rx.recv(); // until the other one has cancelled ours
      });
    });
  }
  for (std::thread& t : runtimes) {
    t.join();
  }
  BOOST_TEST(cancelled == 2);
  BOOST_TEST(counted::alive == 0);
}

// ---- from outside

BOOST_AUTO_TEST_CASE(a_plain_thread_is_told_of_the_handle) {
  auto [tx, rx] = smarm::channel<int>();
  std::string text;
  boost::system::error_code code;
  try {
    (void)send_after(1ms, tx, 1);
  } catch (const boost::system::system_error& e) {
    code = e.code();
    text = e.what();
  }
  BOOST_TEST((code == errc::not_in_actor));
  BOOST_TEST(text.find("runtime_handle::send_after") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_plain_thread_arms_through_the_handle_in_order) {
  std::vector<int> got;
  bool cancelled = false;
  smarm::runtime rt(quiet(2));
  rt.start();
  auto [tx, rx] = smarm::channel<int>();
  const auto base = steady_clock::now() + 1ms;
  for (int i = 0; i < 5; ++i) {
    (void)rt.handle().send_at(base, tx, i);
  }
  const auto id = rt.handle().send_after(1h, std::exchange(tx, {}), 99);
  for (int i = 0; i < 5; ++i) {
    got.push_back(rx.recv().value());
  }
  cancelled = cancel(id.value());
  const errc after = error_of(rx.recv());
  rt.wait();
  CHECK_LIST(got, {0, 1, 2, 3, 4});
  BOOST_TEST(cancelled);
  BOOST_TEST((after == errc::closed));
}

BOOST_AUTO_TEST_CASE(an_actor_may_use_the_handle_of_its_own_runtime_and_of_another) {
  int sum = 0;
  smarm::runtime other(quiet(1));
  other.start();
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    (void)rt.handle().send_after(1us, tx, 1);
    (void)other.handle().send_after(1us, tx, 2);
    sum = rx.recv().value() + rx.recv().value();
  });
  other.wait();
  BOOST_TEST(sum == 3);
}

BOOST_AUTO_TEST_CASE(a_runtime_that_does_not_run_refuses_and_the_message_is_destroyed) {
  counted::ends = 0;
  auto [tx, rx] = smarm::channel<counted>();
  std::vector<errc> errors;
  smarm::runtime_handle handle;
  errors.push_back(error_of(handle.send_after(1ms, tx, counted(1))));
  {
    smarm::runtime rt(quiet(1));
    handle = rt.handle();
    errors.push_back(error_of(handle.send_after(1ms, tx, counted(1))));
    rt.run([] {});
    errors.push_back(error_of(handle.send_after(1ms, tx, counted(1))));
  }
  errors.push_back(error_of(handle.send_after(1ms, tx, counted(1))));
  for (const errc e : errors) {
    BOOST_TEST((e == errc::runtime_down));
  }
  BOOST_TEST(errors.size() == 4u);
  BOOST_TEST(counted::ends == 4);
  BOOST_TEST(counted::alive == 0);
}

BOOST_AUTO_TEST_SUITE_END()
