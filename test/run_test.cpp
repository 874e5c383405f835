// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Beginning and end of a run: what run() promises, who may call it, and what is left afterwards.

#define BOOST_TEST_MODULE run
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <boost/system/system_error.hpp>

#include <atomic>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;

namespace {

const smarm::report_sink no_reports = [](const smarm::report&) {};

std::size_t threads_of_this_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

// What a call is refused with; none if it is not.
template <class Call>
boost::system::error_code refusal(Call call) {
  try {
    call();
  } catch (const boost::system::system_error& e) {
    return e.code();
  }
  return {};
}

// The text of the exception that leaves.
template <class Call>
std::string what_leaves(Call call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "nothing";
}

} // namespace

BOOST_AUTO_TEST_SUITE(run_suite, *boost::unit_test::timeout(120))

// ---- contracts of one run

BOOST_AUTO_TEST_CASE(the_free_run_has_one_scheduler_which_is_the_calling_thread) {
  std::thread::id inside;
  unsigned schedulers = 0;
  smarm::run([&] {
    inside = std::this_thread::get_id();
    schedulers = this_runtime().settings.schedulers;
  });
  BOOST_TEST((inside == std::this_thread::get_id()));
  BOOST_TEST(schedulers == 1u);
  BOOST_TEST(!smarm::this_actor::is_actor());
}

BOOST_AUTO_TEST_CASE(spawn_only_queues_and_one_yield_lets_all_that_are_queued_reach_their_first_wait) {
  recorder seen;
  smarm::run([&] {
    tokens gates[3];
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < 3; ++i) {
      all.push_back(smarm::spawn([&, i] {
        seen.note("begins " + std::to_string(i));
        gates[i].take();
        seen.note("ends " + std::to_string(i));
      }));
      seen.note("spawned " + std::to_string(i));
    }
    smarm::this_actor::yield();
    seen.note("root again");
    for (const int i : {2, 0, 1}) {
      gates[i].give();
    }
    for (auto& h : all) {
      (void)h.join();
    }
  });
  CHECK_LIST(seen.all(), {"spawned 0", "spawned 1", "spawned 2", "begins 0", "begins 1", "begins 2",
                          "root again", "ends 2", "ends 0", "ends 1"});
}

BOOST_AUTO_TEST_CASE(an_actor_runs_on_until_it_waits_or_yields) {
  recorder seen;
  smarm::run([&] {
    auto other = smarm::spawn([&] { seen.note("other"); });
    for (int i = 0; i < 1000; ++i) {
      (void)smarm::spawn([] {}).id(); // many wakes of others are no reason to switch
    }
    seen.note("root");
    (void)other.join();
  });
  CHECK_LIST(seen.all(), {"root", "other"});
}

BOOST_AUTO_TEST_CASE(run_returns_when_all_actors_have_ended_and_all_threads_are_gone) {
  std::thread([] {}).join(); // with the first one a sanitizer starts some of its own
  const std::size_t threads_before = threads_of_this_process();
  recorder seen;
  smarm::runtime rt({.schedulers = 4});
  rt.run([&] {
    for (int i = 0; i < 20; ++i) {
      smarm::spawn([&] {
        const noted_end end(seen, "ended");
        const smarm::disable_stop to_the_end;
        for (int n = 0; n < 50; ++n) {
          smarm::this_actor::yield();
        }
      }).detach();
    }
  });
  BOOST_TEST(seen.size() == 20u);
  const auto stats = rt.stats();
  BOOST_TEST(stats.spawned == 21u);
  BOOST_TEST(stats.ended == 21u);
  BOOST_TEST(stats.stacks_in_use == 0u);
  // A joined thread may stand in /proc for a moment longer.
  wait_until([&] { return threads_of_this_process() <= threads_before; });
}

BOOST_AUTO_TEST_CASE(run_returns_at_once_when_nobody_lives_though_the_other_schedulers_sleep) {
  for (int i = 0; i < 300; ++i) {
    smarm::runtime rt({.schedulers = 4});
    rt.run([] {});
    rt.run([] { smarm::this_actor::yield(); });
  }
}

BOOST_AUTO_TEST_CASE(a_runtime_runs_again_and_again_and_counts_each_run_for_itself) {
  smarm::runtime rt({.schedulers = 2});
  for (unsigned run = 0; run < 100; ++run) {
    rt.run([run] {
      for (unsigned i = 0; i < run; ++i) {
        (void)smarm::spawn([] {}).join();
      }
    });
    BOOST_TEST(rt.stats().spawned == run + 1);
    BOOST_TEST(rt.stats().ended == run + 1);
  }
}

BOOST_AUTO_TEST_CASE(all_that_counts_events_begins_at_zero_with_each_run) {
  smarm::runtime rt({.schedulers = 2, .reports = [](const smarm::report&) { throw 1; }});
  rt.run([] {
    (void)smarm::spawn([] { throw std::runtime_error("told to a sink that fails"); }).join();
    smarm::this_actor::sleep_for(1ms);
  });
  BOOST_TEST(rt.stats().sink_failures == 1u);
  BOOST_TEST(rt.stats().sleeps > 0u);
  rt.start(); // with nothing to do, and so without an end to wake anybody for
  const std::uint64_t wakes = rt.stats().wakes;
  BOOST_TEST(rt.stats().sink_failures == 0u);
  BOOST_TEST(wakes == 0u);
  rt.wait();
  BOOST_TEST(rt.stats().sink_failures == 0u);
}

BOOST_AUTO_TEST_CASE(a_hundred_runtimes_in_a_row) {
  unsigned ran = 0;
  for (unsigned i = 0; i < 100; ++i) {
    smarm::runtime rt({.schedulers = 1 + i % 4, .max_actors = 16 + i});
    rt.run([&] { (void)smarm::spawn([&] { ++ran; }).join(); });
  }
  BOOST_TEST(ran == 100u);
}

BOOST_AUTO_TEST_CASE(two_runtimes_at_once_do_not_know_of_each_other) {
  smarm::runtime one({.schedulers = 2, .max_actors = 100});
  smarm::runtime two({.schedulers = 2, .max_actors = 100});
  const auto work = [](smarm::runtime& rt) {
    rt.run([&rt] {
      for (int i = 0; i < 200; ++i) {
        const smarm::pid child = smarm::spawn([] { smarm::this_actor::yield(); }).id();
        (void)rt.handle().is_live(child);
        smarm::this_actor::yield();
      }
    });
  };
  std::thread other([&] { work(two); });
  work(one);
  other.join();
  BOOST_TEST(one.stats().spawned == 201u);
  BOOST_TEST(two.stats().spawned == 201u);
}

// ---- what leaves run()

BOOST_AUTO_TEST_CASE(what_the_root_throws_leaves_run_after_everything_has_ended) {
  recorder seen;
  smarm::runtime rt({.schedulers = 2, .reports = no_reports});
  const std::string what = what_leaves([&] {
    rt.run([&] {
      smarm::spawn([&] {
        const noted_end end(seen, "child ended");
        tokens mine;
        mine.take();
      }).detach();
      smarm::this_actor::yield();
      throw std::runtime_error("the root's own words");
    });
  });
  BOOST_TEST(what == "the root's own words");
  CHECK_LIST(seen.all(), {"child ended"});
  BOOST_TEST(rt.stats().ended == 2u);
}

BOOST_AUTO_TEST_CASE(what_the_root_throws_need_not_be_a_standard_exception) {
  smarm::runtime rt({.schedulers = 1, .reports = no_reports});
  int caught = 0;
  try {
    rt.run([] { throw 42; });
  } catch (int value) {
    caught = value;
  }
  BOOST_TEST(caught == 42);
}

BOOST_AUTO_TEST_CASE(a_runtime_is_as_good_as_new_after_its_root_failed) {
  smarm::runtime rt({.schedulers = 2, .reports = no_reports});
  bool ran = false;
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(what_leaves([&] { rt.run([] { throw std::logic_error("no"); }); }) == "no");
    rt.run([&] { ran = smarm::spawn([] {}).join() == smarm::exit_kind::normal; });
    BOOST_TEST(ran);
  }
}

BOOST_AUTO_TEST_CASE(a_stopped_root_is_no_error) {
  recorder seen;
  smarm::runtime rt({.schedulers = 1, .reports = no_reports});
  rt.run([&] {
    const noted_end end(seen, "unwound");
    smarm::request_stop(smarm::this_actor::self());
    smarm::this_actor::yield();
    seen.note("never");
  });
  CHECK_LIST(seen.all(), {"unwound"});
}

BOOST_AUTO_TEST_CASE(the_failure_of_any_other_actor_stays_inside) {
  std::string how;
  smarm::runtime rt({.schedulers = 2, .reports = no_reports});
  rt.run([&] {
    smarm::spawn([] { throw std::runtime_error("nobody joins"); }).detach();
    how = smarm::spawn([] { throw std::runtime_error("joined"); }).join().text();
  });
  BOOST_TEST(how.find("joined") != std::string::npos, how);
}

BOOST_AUTO_TEST_CASE(timers_of_those_that_are_gone_do_not_keep_a_run_alive) {
  smarm::runtime rt({.schedulers = 2});
  rt.run([] {
    for (int i = 0; i < 10; ++i) {
      smarm::spawn([] { smarm::this_actor::sleep_for(24h); }).detach();
    }
    smarm::this_actor::yield();
  });
  BOOST_TEST(rt.stats().armed_timers == 0u);
}

// A closure whose copy cannot be made.
struct refuses_to_be_copied {
  refuses_to_be_copied() = default;
  refuses_to_be_copied(const refuses_to_be_copied&) { throw std::runtime_error("no copy"); }
  void operator()() const {}
};

BOOST_AUTO_TEST_CASE(a_root_that_cannot_be_made_leaves_a_runtime_that_can_run) {
  smarm::runtime rt({.schedulers = 2});
  const refuses_to_be_copied root;
  BOOST_TEST(what_leaves([&] { rt.run(root); }) == "no copy");
  BOOST_TEST((rt.handle().try_spawn([] {}).error() == errc::runtime_down));
  bool ran = false;
  rt.run([&] { ran = true; });
  BOOST_TEST(ran);
}

// ---- who may call what

BOOST_AUTO_TEST_CASE(a_run_inside_a_run_is_refused) {
  boost::system::error_code own;
  boost::system::error_code other;
  boost::system::error_code started;
  boost::system::error_code waited;
  boost::system::error_code shut_down;
  smarm::runtime outer({.schedulers = 1});
  smarm::runtime inner({.schedulers = 1});
  outer.run([&] {
    own = refusal([&] { outer.run([] {}); });
    other = refusal([&] { inner.run([] {}); });
    started = refusal([&] { inner.start(); });
    waited = refusal([&] { outer.wait(); });
    shut_down = refusal([&] { (void)outer.shutdown(1s); });
  });
  BOOST_TEST((own == errc::nested_run));
  BOOST_TEST((other == errc::nested_run));
  BOOST_TEST((started == errc::nested_run));
  BOOST_TEST((waited == errc::would_block_scheduler));
  BOOST_TEST((shut_down == errc::would_block_scheduler));
  bool ran = false;
  inner.run([&] { ran = true; }); // nothing of it was left behind
  BOOST_TEST(ran);
}

BOOST_AUTO_TEST_CASE(a_second_run_at_the_same_time_is_refused_and_does_not_disturb_the_first) {
  smarm::runtime rt({.schedulers = 2});
  tokens running;
  tokens go_on;
  recorder seen;
  std::thread first([&] {
    rt.run([&] {
      running.give();
      go_on.take();
      seen.note("first ended");
    });
  });
  running.take();
  BOOST_TEST((refusal([&] { rt.run([] {}); }) == errc::nested_run));
  BOOST_TEST((refusal([&] { rt.start(); }) == errc::nested_run));
  go_on.give();
  first.join();
  CHECK_LIST(seen.all(), {"first ended"});
}

BOOST_AUTO_TEST_CASE(outside_an_actor_the_calls_of_actors_are_refused) {
  const auto not_in_actor = make_error_code(errc::not_in_actor);
  BOOST_TEST((refusal([] { (void)smarm::this_actor::self(); }) == not_in_actor));
  BOOST_TEST((refusal([] { smarm::this_actor::yield(); }) == not_in_actor));
  BOOST_TEST((refusal([] { smarm::this_actor::checkpoint(); }) == not_in_actor));
  BOOST_TEST((refusal([] { smarm::this_actor::sleep_for(1ms); }) == not_in_actor));
  BOOST_TEST((refusal([] { (void)smarm::this_actor::scheduler(); }) == not_in_actor));
  BOOST_TEST((refusal([] { (void)smarm::this_actor::stop_requested(); }) == not_in_actor));
  BOOST_TEST((refusal([] { smarm::this_actor::run_on_thread_stack([] {}); }) == not_in_actor));
  BOOST_TEST((refusal([] { const smarm::disable_stop calm; }) == not_in_actor));
  BOOST_TEST((refusal([] { const smarm::no_preempt calm; }) == not_in_actor));
  BOOST_TEST((refusal([] { (void)smarm::spawn([] {}); }) == not_in_actor));
  BOOST_TEST((refusal([] { smarm::request_stop(smarm::pid(0, 0)); }) == not_in_actor));
  BOOST_TEST((refusal([] { smarm::request_shutdown(smarm::pid(0, 0)); }) == not_in_actor));
  BOOST_TEST((smarm::try_spawn([] {}).error() == not_in_actor));
  BOOST_TEST(!smarm::this_actor::is_actor());
}

// ---- start, wait, shutdown

BOOST_AUTO_TEST_CASE(wait_returns_once_the_last_actor_has_ended) {
  smarm::runtime rt({.schedulers = 2});
  recorder seen;
  tokens go_on;
  rt.start();
  rt.handle().spawn([&] {
    const noted_end end(seen, "ended");
    go_on.take();
  }).detach();
  std::thread later([&] { go_on.give(); });
  rt.wait();
  CHECK_LIST(seen.all(), {"ended"});
  later.join();
}

BOOST_AUTO_TEST_CASE(a_started_runtime_stays_without_any_actor) {
  smarm::runtime rt({.schedulers = 2});
  rt.start();
  for (int i = 0; i < 100; ++i) {
    BOOST_TEST((rt.handle().spawn([] {}).join() == smarm::exit_kind::normal));
  }
  BOOST_TEST(rt.shutdown(1h).empty());
  BOOST_TEST(rt.stats().ended == 100u);
}

BOOST_AUTO_TEST_CASE(shutdown_ends_all_that_wait) {
  smarm::runtime rt({.schedulers = 2});
  recorder seen;
  rt.start();
  tokens ready;
  for (int i = 0; i < 100; ++i) {
    rt.handle().spawn([&] {
      const noted_end end(seen, "ended");
      tokens mine;
      ready.give();
      mine.take();
    }).detach();
  }
  for (int i = 0; i < 100; ++i) {
    ready.take();
  }
  BOOST_TEST(rt.shutdown(1h).empty());
  BOOST_TEST(seen.size() == 100u);
  BOOST_TEST(rt.shutdown(0s).empty()); // again: nothing to do
  rt.wait();                           // the same
}

BOOST_AUTO_TEST_CASE(a_runtime_that_was_never_started_has_nothing_to_wait_for) {
  smarm::runtime rt({.schedulers = 2});
  rt.wait();
  BOOST_TEST(rt.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(a_runtime_starts_again_after_its_end) {
  smarm::runtime rt({.schedulers = 2});
  for (int i = 0; i < 20; ++i) {
    rt.start();
    (void)rt.handle().spawn([] {}).join();
    if (i % 2 == 0) {
      rt.wait();
    } else {
      BOOST_TEST(rt.shutdown(1h).empty());
    }
    rt.run([] {});
  }
}

BOOST_AUTO_TEST_CASE(the_destructor_shuts_down_what_was_started) {
  recorder seen;
  {
    smarm::runtime rt({.schedulers = 2});
    tokens ready;
    rt.start();
    rt.handle().spawn([&] {
      const noted_end end(seen, "ended");
      ready.give();
      smarm::this_actor::sleep_for(24h);
    }).detach();
    ready.take();
  }
  CHECK_LIST(seen.all(), {"ended"});
}

// Each of many shutdowns, one after the other, is about the run that it finds, and waits for no other.
BOOST_AUTO_TEST_CASE(a_shutdown_that_finds_no_run_does_not_wait_for_the_next) {
  for (int i = 0; i < 200; ++i) {
    smarm::runtime rt({.schedulers = 2});
    std::atomic<int> ready{0};
    bool empty = true;
    std::thread other([&] {
      ++ready;
      while (ready < 2) {
      }
      for (int k = 0; k < 200; ++k) {
        empty = rt.shutdown(24h).empty() && empty;
      }
    });
    ++ready;
    while (ready < 2) {
    }
    for (std::atomic<int> k{0}; k < i * 10; ++k) {
    }
    rt.start();
    other.join();
    BOOST_TEST_REQUIRE(empty);
    BOOST_TEST_REQUIRE(rt.shutdown(24h).empty());
  }
}

// ---- destroyed from inside

BOOST_AUTO_TEST_CASE(a_shutdown_without_time_that_names_nobody_has_ended_the_runtime) {
  smarm::runtime rt({.schedulers = 2});
  for (int i = 0; i < 200; ++i) {
    rt.start();
    BOOST_TEST_REQUIRE(rt.shutdown(0ns).empty());
    BOOST_TEST_REQUIRE(rt.handle().try_spawn([] {}).has_error());
  }
}

BOOST_AUTO_TEST_CASE(a_shutdown_that_meets_the_start_comes_before_or_after_it) {
  for (int i = 0; i < 300; ++i) {
    smarm::runtime rt({.schedulers = 2});
    std::atomic<int> ready{0};
    std::vector<smarm::survivor> left;
    std::thread other([&] {
      ++ready;
      while (ready < 2) {
      }
      for (std::atomic<int> k{0}; k < i % 300 * 10; ++k) {
      }
      left = rt.shutdown(24h);
    });
    ++ready;
    while (ready < 2) {
    }
    rt.start();
    other.join();
    BOOST_TEST_REQUIRE(left.empty());
    BOOST_TEST_REQUIRE(rt.shutdown(24h).empty());
    rt.start(); // it can only if the first run is over
    rt.wait();
  }
}

BOOST_AUTO_TEST_CASE(a_runtime_without_grace_and_without_actors_is_destroyed_like_any_other) {
  for (int i = 0; i < 200; ++i) {
    smarm::runtime rt({.schedulers = 2, .destructor_grace = 0ns});
    rt.start();
  }
}

BOOST_AUTO_TEST_CASE(a_runtime_may_be_destroyed_by_its_own_root_in_run) {
  for (const unsigned schedulers : {1u, 2u, 4u}) {
    recorder seen;
    auto rt = std::make_unique<smarm::runtime>(smarm::config{.schedulers = schedulers});
    rt->run([&] {
      smarm::spawn([&] {
        const noted_end end(seen, "child ended");
        smarm::this_actor::sleep_for(24h);
      }).detach();
      smarm::this_actor::yield();
      rt.reset();
      seen.note("root goes on");
    });
    BOOST_TEST(seen.count("root goes on") == 1u);
    BOOST_TEST(seen.count("child ended") == 1u);
  }
}

BOOST_AUTO_TEST_CASE(a_runtime_may_be_destroyed_by_its_own_actor_after_start) {
  for (const unsigned schedulers : {1u, 2u, 4u}) {
    recorder seen;
    auto rt = std::make_unique<smarm::runtime>(smarm::config{.schedulers = schedulers});
    rt->start();
    const smarm::runtime_handle outside = rt->handle();
    auto sleeper = outside.spawn([] { smarm::this_actor::sleep_for(24h); });
    auto destroyer = outside.spawn([&] {
      rt.reset();
      seen.note("goes on");
    });
    BOOST_TEST((destroyer.join() == smarm::exit_kind::normal));
    BOOST_TEST((sleeper.join() == smarm::exit_kind::shutdown));
    CHECK_LIST(seen.all(), {"goes on"});
    // It was asked to shut down, so it ends; who comes now is turned away.
    wait_until([&] { return outside.try_spawn([] {}).has_error(); });
  }
}

BOOST_AUTO_TEST_CASE(a_runtime_may_be_destroyed_by_an_actor_of_another_one) {
  recorder seen;
  auto inner = std::make_unique<smarm::runtime>(smarm::config{.schedulers = 2});
  inner->start();
  inner->handle().spawn([&] {
    const noted_end end(seen, "inner ended");
    smarm::this_actor::sleep_for(24h);
  }).detach();
  smarm::run([&] {
    inner.reset();
    seen.note("outer goes on");
  });
  CHECK_LIST(seen.all(), {"inner ended", "outer goes on"});
}

// ---- handles

BOOST_AUTO_TEST_CASE(a_handle_refuses_cleanly_before_and_after_the_run_and_after_the_runtime) {
  const smarm::runtime_handle none;
  smarm::runtime_handle handle;
  smarm::pid someone;
  const auto refuses = [&someone](const smarm::runtime_handle& h) {
    return h.try_spawn([] {}).error() == errc::runtime_down && !h.request_stop(someone) &&
           !h.request_shutdown(someone) && !h.is_live(someone) &&
           refusal([&] { (void)h.spawn([] {}); }) == errc::runtime_down;
  };
  BOOST_TEST(refuses(none));
  {
    smarm::runtime rt({.schedulers = 1});
    handle = rt.handle();
    BOOST_TEST(refuses(handle));
    bool live_inside = false;
    rt.run([&] {
      someone = smarm::this_actor::self();
      live_inside = handle.is_live(someone);
    });
    BOOST_TEST(live_inside);
    BOOST_TEST(refuses(handle));
  }
  BOOST_TEST(refuses(handle));
}

BOOST_AUTO_TEST_SUITE_END()
