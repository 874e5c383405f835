// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Stopping actors in every state, and where a stop is raised and where it is not.

#define BOOST_TEST_MODULE stop
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "stopping.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::exit_kind;
using smarm::request_shutdown;
using smarm::request_stop;
namespace this_actor = smarm::this_actor;

BOOST_AUTO_TEST_SUITE(stop_suite, *boost::unit_test::timeout(120))

// ---- in every state

BOOST_AUTO_TEST_CASE(a_stop_before_the_first_run_lands_at_the_first_wait) {
  recorder seen;
  exit_kind how{};
  run_quietly(1, [&] {
    auto h = smarm::spawn([&] {
      const noted_end dropped(seen, "dropped");
      tokens never;
      seen.note("begins");
      never.take();
      seen.note("never");
    });
    (void)request_stop(h.id());
    how = h.join().kind();
  });
  CHECK_LIST(seen.all(), {"begins", "dropped"});
  BOOST_TEST(how == exit_kind::stopped);
}

BOOST_AUTO_TEST_CASE(a_stop_ends_every_kind_of_wait) {
  std::vector<exit_kind> how;
  run_quietly(2, [&] {
    tokens never;
    auto forever = smarm::spawn([] { this_actor::sleep_for(24h); });
    const auto stop_while_waiting = [&](auto wait) {
      auto h = smarm::spawn(wait);
      until([&] { return parked(h.id()); });
      (void)request_stop(h.id());
      how.push_back(h.join().kind());
    };
    stop_while_waiting([&] { never.take(); });
    stop_while_waiting([&] { (void)never.take_for(24h); });
    stop_while_waiting([] { this_actor::sleep_for(24h); });
    stop_while_waiting([&] { (void)forever.join(); });
    stop_while_waiting([&] { (void)forever.join_for(24h); });
    (void)request_stop(forever.id());
    (void)forever.join();
  });
  BOOST_TEST(how.size() == 5u);
  for (const exit_kind k : how) {
    BOOST_TEST(k == exit_kind::stopped);
  }
}

BOOST_AUTO_TEST_CASE(a_stop_of_a_running_actor_lands_at_its_next_stop_point) {
  recorder seen;
  std::atomic<bool> running{false};
  std::atomic<bool> stopped{false};
  run_quietly(2, [&] {
    auto h = smarm::spawn([&] {
      running = true;
      spin_until([&] { return stopped.load(); });
      seen.note("runs on");
      this_actor::checkpoint();
      seen.note("never");
    });
    until([&] { return running.load(); });
    (void)request_stop(h.id());
    stopped = true;
    seen.note(to_string(h.join().kind()));
  });
  CHECK_LIST(seen.all(), {"runs on", "stopped"});
}

BOOST_AUTO_TEST_CASE(an_actor_that_is_ready_but_not_running_is_stopped_when_it_goes_on) {
  recorder seen;
  run_quietly(1, [&] {
    tokens gate;
    auto h = smarm::spawn([&] {
      gate.take();
      seen.note("has its token");
      gate.take();
      seen.note("never");
    });
    this_actor::yield();
    gate.give();                // now it is queued
    (void)request_stop(h.id()); // and what it waited for has come all the same
    seen.note(to_string(h.join().kind()));
  });
  CHECK_LIST(seen.all(), {"has its token", "stopped"});
}

BOOST_AUTO_TEST_CASE(an_actor_may_stop_itself_and_runs_on_to_the_next_stop_point) {
  recorder seen;
  run_quietly(1, [&] {
    auto h = smarm::spawn([&] {
      stop_self();
      seen.note("runs on");
      this_actor::yield();
      seen.note("never");
    });
    seen.note(to_string(h.join().kind()));
  });
  CHECK_LIST(seen.all(), {"runs on", "stopped"});
}

BOOST_AUTO_TEST_CASE(a_stop_of_one_that_has_ended_or_never_was_is_no_and_hits_nobody) {
  std::vector<int> answers;
  exit_kind tenant{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto ended = smarm::spawn([] {});
    answers.push_back(request_stop(ended.id())); // still to run
    this_actor::yield();
    answers.push_back(request_stop(ended.id())); // ended, its slot pinned
    const smarm::pid old = ended.id();
    (void)ended.join();
    answers.push_back(request_stop(old)); // its slot is free
    tokens gate;
    auto next = smarm::spawn([&] { gate.take(); });
    const bool reused = next.id().index() == old.index();
    this_actor::yield();
    answers.push_back(reused && !request_stop(old) && !request_shutdown(old));
    answers.push_back(request_stop(smarm::pid::none()));
    answers.push_back(request_stop(smarm::pid::root()));
    answers.push_back(request_stop(smarm::pid(4'000'000'000, 0)));
    answers.push_back(request_stop(smarm::pid(next.id().index(), next.id().generation() + 1)));
    answers.push_back(rt.handle().request_stop(old));
    this_actor::yield();
    gate.give();
    tenant = next.join().kind();
  });
  CHECK_LIST(answers, {1, 0, 0, 1, 0, 0, 0, 0, 0});
  BOOST_TEST(tenant == exit_kind::normal);
}

BOOST_AUTO_TEST_CASE(a_stop_between_two_waits_is_not_forgotten) {
  long stopped = 0;
  constexpr long rounds = 500;
  run_quietly(2, [&] {
    for (long i = 0; i < rounds; ++i) {
      std::atomic<long> turns{0};
      auto h = smarm::spawn([&] {
        for (;;) {
          tokens mine;
          mine.give();
          mine.take(); // does not suspend
          ++turns;
          this_actor::sleep_for(1us);
        }
      });
      until([&] { return turns > i % 5; });
      (void)request_stop(h.id());
      stopped += h.join().kind() == exit_kind::stopped;
    }
  });
  BOOST_TEST(stopped == rounds);
}

BOOST_AUTO_TEST_CASE(a_stop_from_outside_ends_a_wait) {
  smarm::runtime rt(quiet(2));
  rt.start();
  for (int i = 0; i < 200; ++i) {
    tokens gate;
    auto h = rt.handle().spawn([&] { gate.take(); });
    if (i % 2 == 0) {
      wait_until([&] { return gate.awaited(); });
    }
    BOOST_TEST(rt.handle().request_stop(h.id()));
    BOOST_TEST(h.join().kind() == exit_kind::stopped);
    BOOST_TEST(!rt.handle().request_stop(h.id()));
  }
  BOOST_TEST(rt.shutdown(1h).empty());
}

// ---- how it is raised

BOOST_AUTO_TEST_CASE(all_destructors_run_innermost_first) {
  recorder seen;
  run_quietly(1, [&] {
    auto h = smarm::spawn([&, body = noted_end(seen, "body")] {
      const noted_end outer(seen, "outer");
      const auto inner_frame = [&] {
        const noted_end inner(seen, "inner");
        this_actor::sleep_for(24h);
      };
      inner_frame();
    });
    this_actor::yield();
    (void)request_stop(h.id());
    (void)h.join();
  });
  CHECK_LIST(seen.all(), {"inner", "outer", "body"});
}

BOOST_AUTO_TEST_CASE(a_handler_for_errors_lets_a_stop_pass) {
  recorder seen;
  run_quietly(1, [&] {
    auto h = smarm::spawn([&] {
      try {
        stop_self();
        this_actor::yield();
      } catch (const std::exception&) {
        seen.note("taken for an error");
      }
      seen.note("never");
    });
    seen.note(to_string(h.join().kind()));
  });
  CHECK_LIST(seen.all(), {"stopped"});
}

BOOST_AUTO_TEST_CASE(a_stop_that_is_swallowed_is_raised_again_at_every_stop_point) {
  int raised = 0;
  std::vector<exit_kind> how;
  run_quietly(2, [&] {
    auto h = smarm::spawn([&] {
      tokens mine;
      auto child = smarm::spawn([] {});
      auto ended = smarm::spawn([] {});
      until([&] { return !smarm_test::this_runtime().is_live(ended.id()); });
      stop_self();
      for (int i = 0; i < 5; ++i) {
        raised += raises([] { this_actor::yield(); });
        raised += raises([] { this_actor::checkpoint(); });
        raised += raises([] { this_actor::sleep_for(1us); });
        raised += raises([] { this_actor::sleep_for(0s); });
        raised += raises([&] { mine.take(); });
        raised += raises([&] { (void)mine.take_for(1us); });
        raised += raises([&] { (void)child.join(); });
        raised += raises([&] { (void)ended.join(); });
      }
      // and ends as if nothing had been
    });
    how.push_back(h.join().kind());
  });
  BOOST_TEST(raised == 40);
  CHECK_LIST(how, {exit_kind::stopped});
}

BOOST_AUTO_TEST_CASE(what_is_no_stop_point_never_raises) {
  bool raised = true;
  exit_kind how{};
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto h = smarm::spawn([&] {
      tokens other;
      stop_self();
      raised = raises([&] {
        for (int i = 0; i < 100; ++i) {
          auto child = smarm::spawn([] {});
          (void)child.id();
          child.detach();
          (void)smarm::try_spawn({.label = "x", .stack_size = 40'000}, [] {});
          (void)rt.handle().spawn([] {});
          (void)request_stop(this_actor::self());
          (void)request_shutdown(this_actor::self());
          (void)this_actor::self();
          (void)this_actor::scheduler();
          (void)this_actor::stop_requested();
          (void)rt.handle().is_live(this_actor::self());
          other.give();
          this_actor::run_on_thread_stack([] {});
          const std::vector<char> allocated(1000);
          const smarm::disable_stop calm;
          const smarm::no_preempt calmer;
        }
      });
    });
    how = h.join().kind();
  });
  BOOST_TEST(!raised);
  BOOST_TEST(how == exit_kind::normal); // asked, but it never came to a stop point
}

BOOST_AUTO_TEST_CASE(who_wants_to_end_in_good_order_can_ask) {
  std::vector<int> asked;
  run_quietly(1, [&] {
    for (const bool shutdown : {false, true}) {
      auto h = smarm::spawn([&] {
        asked.push_back(this_actor::stop_requested());
        (void)(shutdown ? request_shutdown(this_actor::self()) : request_stop(this_actor::self()));
        asked.push_back(this_actor::stop_requested());
      });
      (void)h.join();
    }
  });
  CHECK_LIST(asked, {0, 1, 0, 1});
}

BOOST_AUTO_TEST_SUITE_END()
