// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The configuration: what is refused and in which words, and that every knob turns something.

#define BOOST_TEST_MODULE config
#include <boost/test/unit_test.hpp>

#include "child_process.hpp"
#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>

#include <boost/system/system_error.hpp>

#include <pthread.h>
#include <signal.h>

#include <memory>
#include <set>
#include <string>
#include <thread>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::config;
using smarm::errc;

namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t gib = kib * kib * kib;

struct refused {
  std::string field;
  std::string value;
  std::string range;
  config settings;
};

std::string message_of(const config& settings, errc expected) {
  try {
    (void)smarm::runtime(settings);
  } catch (const boost::system::system_error& e) {
    return e.code() == expected ? e.what() : "wrong code: " + e.code().message();
  }
  return "not refused";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool accepts(const config& settings) {
  try {
    (void)smarm::detail::validated(settings);
    return true;
  } catch (const boost::system::system_error&) {
    return false;
  }
}

// Runs `body` on one scheduler that is set up so.
template <class Body>
smarm::runtime_stats stats_after(config settings, Body body) {
  settings.schedulers = settings.schedulers == 0 ? 1 : settings.schedulers;
  smarm::runtime rt(settings);
  rt.run(body);
  return rt.stats();
}

smarm::detail::stack& this_stack() { return *smarm::detail::current_scheduler()->current->stack; }

void checkpoints(int count) {
  for (int i = 0; i < count; ++i) {
    smarm::this_actor::checkpoint();
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(config_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_bad_value_is_refused_by_field_value_and_range) {
  const refused all[] = {
    {"schedulers", "65", "1 to 64", {.schedulers = 65}},
    {"max_actors", "0", "1 to 4294967294", {.max_actors = 0}},
    {"max_actors", "4294967295", "1 to 4294967294", {.max_actors = 0xffff'ffff}},
    {"stack_size", "16383", "16384", {.stack_size = 16 * kib - 1}},
    {"stack_size", "1073741825", "1 GiB", {.stack_size = gib + 1}},
    {"guard_size", "4095", "4096", {.guard_size = 4 * kib - 1}},
    {"guard_size", "1073741825", "1 GiB", {.guard_size = gib + 1}},
    {"warm_stacks", "16777217", "0 to 16777216", {.warm_stacks = (std::size_t{1} << 24) + 1}},
    {"timeslice_cycles", "999", "1000 to 2^63 - 1", {.timeslice_cycles = 999}},
    {"timeslice_cycles", "9223372036854775808", "1000 to 2^63 - 1",
     {.timeslice_cycles = std::uint64_t{1} << 63}},
    {"poll_cycles", "999", "1000 to 2^63 - 1", {.poll_cycles = 999}},
    {"poll_cycles", "9223372036854775808", "1000 to 2^63 - 1",
     {.poll_cycles = std::uint64_t{1} << 63}},
    {"search_time", "-1 ns", "0 to 1 ms", {.search_time = -1ns}},
    {"search_time", "1000001 ns", "0 to 1 ms", {.search_time = 1'000'001ns}},
    {"standby_interval", "9999 ns", "10 us to 1 s", {.standby_interval = 9'999ns}},
    {"standby_interval", "1000000001 ns", "10 us to 1 s", {.standby_interval = 1'000'000'001ns}},
    {"timer_slack", "-1 ns", "0 to 10 ms", {.timer_slack = -1ns}},
    {"timer_slack", "10000001 ns", "0 to 10 ms", {.timer_slack = 10'000'001ns}},
    {"blocking_threads", "0", "1 to 4096", {.blocking_threads = 0}},
    {"blocking_threads", "4097", "1 to 4096", {.blocking_threads = 4097}},
    {"blocking_queue", "0", "1 to 2^63 - 1", {.blocking_queue = 0}},
    {"blocking_idle_time", "-1 ns", "0 to a year", {.blocking_idle_time = -1ns}},
    {"blocking_idle_time", "31536000000000001 ns", "0 to a year",
     {.blocking_idle_time = 8760h + 1ns}},
    {"destructor_grace", "-1 ns", "0 to a year", {.destructor_grace = -1ns}},
    {"destructor_grace", "31536000000000001 ns", "0 to a year",
     {.destructor_grace = 8760h + 1ns}},
    {"thread_name", "\"twelve_bytes\"", "at most 11 bytes", {.thread_name = "twelve_bytes"}},
  };
  for (const refused& one : all) {
    const std::string message = message_of(
      one.settings,
      one.field == "schedulers" ? errc::too_many_schedulers : errc::invalid_config);
    BOOST_TEST(says(message, "config::" + one.field + " = " + one.value), message);
    BOOST_TEST(says(message, "allowed is"), message);
    BOOST_TEST(says(message, one.range), message);
  }
}

BOOST_AUTO_TEST_CASE(the_ends_of_every_range_are_accepted) {
  BOOST_TEST(accepts({.schedulers = 1}));
  BOOST_TEST(accepts({.schedulers = 64}));
  BOOST_TEST(accepts({.max_actors = 1}));
  BOOST_TEST(accepts({.max_actors = 0xffff'fffe}));
  BOOST_TEST(accepts({.stack_size = 16 * kib}));
  BOOST_TEST(accepts({.stack_size = gib}));
  BOOST_TEST(accepts({.guard_size = 4 * kib}));
  BOOST_TEST(accepts({.guard_size = gib}));
  BOOST_TEST(accepts({.warm_stacks = 0}));
  BOOST_TEST(accepts({.warm_stacks = std::size_t{1} << 24}));
  BOOST_TEST(accepts({.timeslice_cycles = 1000}));
  BOOST_TEST(accepts({.timeslice_cycles = ~std::uint64_t{0} / 2}));
  BOOST_TEST(accepts({.poll_cycles = 1000}));
  BOOST_TEST(accepts({.poll_cycles = ~std::uint64_t{0} / 2}));
  BOOST_TEST(accepts({.search_time = 0ns}));
  BOOST_TEST(accepts({.search_time = 1ms}));
  BOOST_TEST(accepts({.standby_interval = 10us}));
  BOOST_TEST(accepts({.standby_interval = 1s}));
  BOOST_TEST(accepts({.timer_slack = 0ns}));
  BOOST_TEST(accepts({.timer_slack = 10ms}));
  BOOST_TEST(accepts({.blocking_threads = 1}));
  BOOST_TEST(accepts({.blocking_threads = 4096}));
  BOOST_TEST(accepts({.blocking_queue = 1}));
  BOOST_TEST(accepts({.blocking_queue = PTRDIFF_MAX}));
  BOOST_TEST(accepts({.blocking_idle_time = 0ns}));
  BOOST_TEST(accepts({.blocking_idle_time = 8760h}));
  BOOST_TEST(accepts({.destructor_grace = 0ns}));
  BOOST_TEST(accepts({.destructor_grace = 8760h}));
  BOOST_TEST(accepts({.thread_name = ""}));
  BOOST_TEST(accepts({.thread_name = "elevenbytes"}));
}

BOOST_AUTO_TEST_CASE(no_number_of_schedulers_means_one_for_each_hardware_thread_at_most_64) {
  const unsigned hardware = std::max(1U, std::thread::hardware_concurrency());
  BOOST_TEST(smarm::runtime().settings().schedulers == std::min(hardware, 64U));
}

BOOST_AUTO_TEST_CASE(as_many_schedulers_run_actors_as_were_asked_for) {
  std::set<unsigned> seen;
  const auto stats = stats_after({.schedulers = 3}, [&] {
    basic_recorder<unsigned> numbers;
    std::vector<smarm::join_handle> all;
    for (unsigned i = 0; i < 3; ++i) {
      all.push_back(
        smarm::spawn({.pinned_to = i}, [&] { numbers.note(smarm::this_actor::scheduler()); }));
    }
    for (auto& h : all) {
      (void)h.join();
    }
    for (const unsigned n : numbers.all()) {
      seen.insert(n);
    }
  });
  BOOST_TEST(stats.schedulers == 3u);
  BOOST_TEST((seen == std::set<unsigned>{0, 1, 2}));
}

BOOST_AUTO_TEST_CASE(max_actors_bounds_those_that_live_at_once) {
  std::size_t made = 0;
  (void)stats_after({.max_actors = 5}, [&] {
    std::vector<smarm::join_handle> all;
    while (auto h = smarm::try_spawn([] {})) {
      all.push_back(*std::move(h));
    }
    made = all.size();
  });
  BOOST_TEST(made == 4u); // and the root
}

BOOST_AUTO_TEST_CASE(stacks_have_the_size_and_the_guard_that_were_asked_for) {
  std::size_t size = 0;
  smarm::detail::stack_shape shape;
  (void)stats_after({.stack_size = 100'000, .guard_size = 20'000}, [&] {
    size = this_stack().size();
    shape = this_stack().shape();
  });
  BOOST_TEST(shape.reserve == 102'400u); // 25 pages
  BOOST_TEST(shape.guard == 20'480u);    // 5 pages
  BOOST_TEST(size > 98'304u);
}

BOOST_AUTO_TEST_CASE(guards_are_made_as_was_asked_for) {
  using smarm::detail::guard_method;
  guard_method mapping{};
  guard_method automatic{};
  (void)stats_after({.guard = smarm::stack_guard::mapping},
                    [&] { mapping = this_runtime().stacks.guard(); });
  (void)stats_after({.guard = smarm::stack_guard::automatic},
                    [&] { automatic = this_runtime().stacks.guard(); });
  BOOST_TEST((mapping == guard_method::mapping));
  BOOST_TEST((automatic != guard_method::automatic)); // it was decided
}

BOOST_AUTO_TEST_CASE(warm_stacks_bounds_what_is_kept_when_nobody_is_there) {
  const auto burst = [] {
    std::vector<smarm::join_handle> all;
    std::vector<std::unique_ptr<tokens>> gates;
    for (int i = 0; i < 100; ++i) {
      gates.push_back(std::make_unique<tokens>());
      all.push_back(smarm::spawn([&gate = *gates.back()] { gate.take(); }));
    }
    until([&] { return gates.back()->awaited(); });
    for (std::size_t i = 0; i < all.size(); ++i) {
      gates[i]->give();
      (void)all[i].join();
    }
  };
  BOOST_TEST(stats_after({.warm_stacks = 0}, burst).stacks_kept == 0u);
  BOOST_TEST(stats_after({.warm_stacks = 10}, burst).stacks_kept == 10u);
  BOOST_TEST(stats_after({.warm_stacks = 1000}, burst).stacks_kept >= 100u);
}

BOOST_AUTO_TEST_CASE(timeslice_cycles_is_what_checkpoints_measure_by) {
  BOOST_TEST(stats_after({.timeslice_cycles = 1000}, [] { checkpoints(100'000); }).overruns > 0u);
  BOOST_TEST(stats_after({.timeslice_cycles = std::uint64_t{1} << 62}, [] {
               checkpoints(100'000);
             }).overruns == 0u);
}

BOOST_AUTO_TEST_CASE(poll_cycles_is_how_often_a_busy_scheduler_looks_up) {
  const auto looks = [](std::uint64_t cycles) {
    bool looked = false;
    (void)stats_after({.poll_cycles = cycles}, [&] {
      auto other = smarm::spawn([] {
        for (int i = 0; i < 10'000; ++i) {
          smarm::this_actor::yield();
        }
      });
      smarm::this_actor::yield();
      auto& coarse = smarm::detail::current_scheduler()->coarse_now;
      const std::int64_t before = coarse;
      for (int i = 0; i < 10'000; ++i) {
        smarm::this_actor::yield();
      }
      looked = coarse != before;
      (void)other.join();
    });
    return looked;
  };
  BOOST_TEST(looks(1000));
  BOOST_TEST(!looks(std::uint64_t{1} << 62));
}

BOOST_AUTO_TEST_CASE(search_time_is_how_long_an_idle_scheduler_looks_before_it_sleeps) {
  const auto searches = [](std::chrono::nanoseconds time) {
    std::uint64_t count = 0;
    (void)stats_after({.search_time = time}, [&] {
      smarm::this_actor::sleep_for(1ms);
      count = this_runtime().coordination.counters(0).searches.count();
    });
    return count;
  };
  BOOST_TEST(searches(0ns) == 0u);
  if (std::thread::hardware_concurrency() > 1) { // alone it would only be in the way
    BOOST_TEST(searches(1us) > 0u);
  }
}

BOOST_AUTO_TEST_CASE(standby_interval_makes_a_sleeper_look_again_while_another_is_busy) {
  std::uint64_t looks = 0;
  (void)stats_after({.schedulers = 2, .standby_interval = 10us}, [&] {
    const auto& idle = this_runtime().coordination;
    const unsigned other = 1 - smarm::this_actor::scheduler();
    spin_until([&] { return (looks = idle.counters(other).looks.count()) >= 2; });
  });
  BOOST_TEST(looks >= 2u);
}

BOOST_AUTO_TEST_CASE(timer_slack_makes_timers_share_a_wake_up) {
  std::uint64_t sleeps = 0;
  (void)stats_after({.timer_slack = 10ms}, [&] {
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < 60; ++i) {
      all.push_back(smarm::spawn([i] { smarm::this_actor::sleep_for(2ms + i * 50us); }));
    }
    smarm::this_actor::yield();
    const auto& parks = this_runtime().coordination.counters(0).parks;
    const std::uint64_t before = parks.count();
    for (auto& h : all) {
      (void)h.join();
    }
    sleeps = parks.count() - before;
  });
  BOOST_TEST(sleeps <= 3u); // each for itself would take most of 60
}

BOOST_AUTO_TEST_CASE(the_threads_that_a_runtime_makes_have_its_name) {
  char name[32] = {};
  (void)stats_after({.schedulers = 2, .thread_name = "elevenbytes"}, [&] {
    (void)smarm::spawn({.pinned_to = 1}, [&] {
      (void)::pthread_getname_np(::pthread_self(), name, sizeof name);
    }).join();
  });
  BOOST_TEST(std::string(name) == "elevenbytes-1");
}

// The only actor waits where no stop ends it. Leaves when the token is given.
BOOST_AUTO_TEST_CASE(destructor_grace_and_zombies_say_what_becomes_of_those_that_do_not_end) {
  tokens gate;
  recorder reports;
  {
    smarm::runtime rt({.schedulers = 1,
                       .reports = [&](const smarm::report& r) { reports.note(to_string(r.kind)); },
                       .destructor_grace = 0ns,
                       .zombies = smarm::zombie_policy::leak});
    rt.start();
    rt.handle().spawn([&] { gate.take_deaf(); }).detach();
    wait_until([&] { return gate.awaited(); });
  }
  CHECK_LIST(reports.all(), {"zombie"});
  gate.give(); // the leaked runtime ends by itself

  tokens patience;
  {
    smarm::runtime rt({.schedulers = 1, .destructor_grace = 8760h});
    rt.start();
    rt.handle()
      .spawn([&] {
        try {
          patience.take();
        } catch (const smarm::stop_unwind&) {
          patience.give(); // it was asked, and takes its time
          throw;
        }
      })
      .detach();
    wait_until([&] { return patience.awaited(); });
  }
  BOOST_TEST(patience.count() == 1u);
}

#if !SMARM_TSAN // which does not let a forked process start threads
BOOST_AUTO_TEST_CASE(zombies_abort_by_default_and_are_named) {
  const child_end end = in_child([] {
    static tokens gate;
    smarm::runtime rt({.schedulers = 1, .destructor_grace = 0ns});
    rt.start();
    rt.handle().spawn({.label = "undead"}, [] { gate.take_deaf(); }).detach();
    wait_until([] { return gate.awaited(); });
    return 0;
  });
  BOOST_TEST(end.signal == SIGABRT);
  BOOST_TEST(says(end.error, "a runtime was destroyed with 1 live actor(s)"), end.error);
  BOOST_TEST(says(end.error, "a lock"), end.error);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
