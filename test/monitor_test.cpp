// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Monitors: one message for each, whatever the end, and none after demonitor; what is left behind by
// those who monitor and go.

#define BOOST_TEST_MODULE monitor
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/detail/attend.hpp>
#include <smarm/monitor.hpp>
#include <smarm/runtime.hpp>
#include <smarm/select.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/when.hpp>

#include <boost/system/system_error.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;
namespace this_actor = smarm::this_actor;

namespace {

void sleep_for_ever() { this_actor::sleep_for(24h); }

// How many monitors there are on an actor.
std::size_t watchers_of(smarm::pid actor) {
  smarm::detail::slot& s = *this_runtime().slots.find(actor.index());
  const std::lock_guard guard(s.record_lock);
  auto* record = s.record.load();
  const auto* known = record != nullptr ? smarm::detail::relations_in(*record) : nullptr;
  return known != nullptr ? known->monitors.size() : 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(monitor_suite, *boost::unit_test::timeout(120))

// ---- every ending

BOOST_AUTO_TEST_CASE(every_kind_of_ending_is_told) {
  std::vector<exit_kind> kinds;
  std::vector<bool> right_actor;
  for (const unsigned schedulers : {1u, 2u}) {
    smarm::runtime rt(quiet(schedulers));
    rt.run([&] {
      const auto end_of = [&](auto body, auto then) {
        auto h = smarm::spawn(body);
        auto m = smarm::monitor(h.id());
        then(h.id());
        const smarm::down end = m.recv().value();
        kinds.push_back(end.reason.kind());
        right_actor.push_back(end.actor == h.id() && m.target() == h.id());
        kinds.push_back(h.join().kind());
      };
      end_of([] {}, [](smarm::pid) {});
      end_of([] { throw std::runtime_error("fails"); }, [](smarm::pid) {});
      end_of(sleep_for_ever, [](smarm::pid p) { (void)smarm::request_stop(p); });
      end_of(sleep_for_ever, [](smarm::pid p) { (void)smarm::request_shutdown(p); });
    });
  }
  using enum exit_kind;
  CHECK_LIST(kinds, {normal, normal, failed, failed, stopped, stopped, shutdown, shutdown, normal,
                     normal, failed, failed, stopped, stopped, shutdown, shutdown});
  BOOST_TEST(right_actor == std::vector<bool>(8, true), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_failure_is_told_with_its_exception) {
  std::string text;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [h, m] = smarm::spawn_monitor([] { throw std::runtime_error("out of luck"); });
    text = m.recv().value().reason.text();
  });
  BOOST_TEST(text.find("out of luck") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_dead_and_those_that_never_were_are_told_of_at_once) {
  std::vector<exit_kind> kinds;
  bool tenant_unharmed = false;
  smarm::run([&] {
    auto h = smarm::spawn([] {});
    const smarm::pid dead = h.id();
    this_actor::yield();
    kinds.push_back(smarm::monitor(dead).try_recv().value().reason.kind()); // its slot pinned
    (void)h.join();
    kinds.push_back(smarm::monitor(dead).try_recv().value().reason.kind());
    auto tenant = smarm::spawn(sleep_for_ever);
    tenant_unharmed = tenant.id().index() == dead.index();
    kinds.push_back(smarm::monitor(dead).try_recv().value().reason.kind());
    tenant_unharmed = tenant_unharmed && watchers_of(tenant.id()) == 0;
    kinds.push_back(smarm::monitor(smarm::pid::none()).try_recv().value().reason.kind());
    kinds.push_back(smarm::monitor(smarm::pid(4'000'000'000, 0)).try_recv().value().reason.kind());
  });
  BOOST_TEST(kinds == std::vector<exit_kind>(5, exit_kind::no_process),
             boost::test_tools::per_element());
  BOOST_TEST(tenant_unharmed);
}

BOOST_AUTO_TEST_CASE(an_actor_that_ends_before_it_is_waited_for_is_told_of_all_the_same) {
  exit_kind kind{};
  smarm::run([&] {
    auto [h, m] = smarm::spawn_monitor([] {});
    h.detach();
    this_actor::yield();
    kind = m.recv().value().reason.kind();
  });
  BOOST_TEST(kind == exit_kind::normal);
}

BOOST_AUTO_TEST_CASE(a_stop_before_the_first_run_is_told_as_a_stop) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto child = smarm::spawn([&] {
      const noted_end dropped(seen, "dropped");
      tokens never;
      never.take();
    });
    auto m = smarm::monitor(child.id());
    (void)smarm::request_stop(child.id());
    seen.note(to_string(m.recv().value().reason.kind()));
  });
  CHECK_LIST(seen.all(), {"dropped", "stopped"});
}

// ---- exactly once

BOOST_AUTO_TEST_CASE(there_is_one_message_and_then_the_end) {
  std::vector<errc> after;
  smarm::run([&] {
    auto [h, m] = smarm::spawn_monitor([] {});
    after.push_back(error_of(m.try_recv()));
    after.push_back(error_of(m.recv()));
    after.push_back(error_of(m.recv()));
    after.push_back(error_of(m.try_recv()));
  });
  BOOST_TEST((after == std::vector<errc>{errc::empty, errc{}, errc::closed, errc::closed}));
}

BOOST_AUTO_TEST_CASE(each_of_many_monitors_gets_its_own_message) {
  std::size_t told = 0;
  smarm::run([&] {
    auto h = smarm::spawn(sleep_for_ever);
    std::vector<smarm::monitor_ref> all;
    for (int i = 0; i < 100; ++i) {
      all.push_back(smarm::monitor(h.id()));
    }
    (void)smarm::request_shutdown(h.id());
    for (auto& m : all) {
      told += m.recv().value().reason.kind() == exit_kind::shutdown;
    }
  });
  BOOST_TEST(told == 100u);
}

BOOST_AUTO_TEST_CASE(the_message_is_there_when_join_returns) {
  for (const unsigned schedulers : {1u, 2u}) {
    int there = 0;
    smarm::runtime rt(quiet(schedulers));
    rt.run([&] {
      for (int i = 0; i < 500; ++i) {
        auto [h, m] = smarm::spawn_monitor([] { this_actor::yield(); });
        (void)h.join();
        there += m.try_recv().has_value();
      }
    });
    BOOST_TEST(there == 500);
  }
}

BOOST_AUTO_TEST_CASE(an_actor_is_dead_when_its_message_comes) {
  int dead = 0;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    for (int i = 0; i < 500; ++i) {
      auto [h, m] = smarm::spawn_monitor([] { this_actor::yield(); });
      (void)m.recv();
      dead += !rt.handle().is_live(h.id());
    }
  });
  BOOST_TEST(dead == 500);
}

// ---- demonitor

BOOST_AUTO_TEST_CASE(after_demonitor_nothing_arrives) {
  std::vector<int> removed;
  std::vector<errc> after;
  std::size_t left = 1;
  smarm::run([&] {
    auto h = smarm::spawn(sleep_for_ever);
    auto m = smarm::monitor(h.id());
    removed.push_back(smarm::demonitor(m));
    left = watchers_of(h.id());
    removed.push_back(m.demonitor());
    (void)smarm::request_shutdown(h.id());
    (void)h.join();
    after.push_back(error_of(m.try_recv()));
    after.push_back(error_of(m.recv()));
  });
  CHECK_LIST(removed, {1, 0});
  BOOST_TEST(left == 0u);
  BOOST_TEST((after == std::vector<errc>{errc::closed, errc::closed}));
}

BOOST_AUTO_TEST_CASE(demonitor_after_the_end_takes_the_message_back) {
  std::vector<int> removed;
  errc after{};
  smarm::run([&] {
    auto [h, m] = smarm::spawn_monitor([] {});
    (void)h.join();
    auto tenant = smarm::spawn(sleep_for_ever); // in the same slot, with a monitor of its own
    auto other = smarm::monitor(tenant.id());
    removed.push_back(m.demonitor());
    after = error_of(m.try_recv());
    auto refused = smarm::monitor(h.id());
    removed.push_back(refused.demonitor());
    removed.push_back(static_cast<int>(watchers_of(tenant.id())));
  });
  CHECK_LIST(removed, {0, 0, 1});
  BOOST_TEST((after == errc::closed));
}

BOOST_AUTO_TEST_CASE(a_monitor_that_goes_leaves_nothing_behind) {
  std::vector<std::size_t> counts;
  smarm::run([&] {
    auto h = smarm::spawn(sleep_for_ever);
    {
      auto first = smarm::monitor(h.id());
      auto second = std::move(first);
      counts.push_back(watchers_of(h.id()));
      second = smarm::monitor(h.id());
      counts.push_back(watchers_of(h.id()));
    }
    counts.push_back(watchers_of(h.id()));
    auto watcher = smarm::spawn([&] {
      auto mine = smarm::monitor(h.id());
      (void)mine.recv();
    });
    until([&] { return parked(watcher.id()); });
    counts.push_back(watchers_of(h.id()));
    (void)smarm::request_shutdown(watcher.id());
    (void)watcher.join();
    counts.push_back(watchers_of(h.id()));
  });
  CHECK_LIST(counts, {1, 1, 0, 1, 0});
}

// ---- waiting

BOOST_AUTO_TEST_CASE(a_monitor_is_an_arm_of_a_select) {
  std::vector<std::size_t> which;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    tokens gate;
    auto h = smarm::spawn([&] { gate.take(); });
    auto m = smarm::monitor(h.id());
    (void)tx.send(1);
    which.push_back(smarm::select(m, rx));
    (void)rx.recv();
    gate.give();
    which.push_back(smarm::select(m, rx));
    (void)m.recv();
    auto late = smarm::monitor(h.id());
    (void)smarm::select(smarm::when(late.inbox(), [&](const smarm::down& end) {
      which.push_back(end.reason.kind() == exit_kind::no_process ? 7 : 8);
    }));
  });
  CHECK_LIST(which, {1, 0, 7});
}

BOOST_AUTO_TEST_CASE(a_wait_for_an_end_may_have_a_limit) {
  std::vector<errc> codes;
  smarm::run([&] {
    auto h = smarm::spawn(sleep_for_ever);
    auto m = smarm::monitor(h.id());
    codes.push_back(error_of(m.recv_for(1ms)));
    (void)smarm::request_shutdown(h.id());
    codes.push_back(error_of(m.recv_until(std::chrono::steady_clock::now() + 1h)));
  });
  BOOST_TEST((codes == std::vector<errc>{errc::timed_out, errc{}}));
}

BOOST_AUTO_TEST_CASE(one_who_monitors_himself_hears_nothing_and_ends_in_good_order) {
  errc code{};
  smarm::run([&] {
    auto m = smarm::monitor(this_actor::self());
    code = error_of(m.try_recv());
  });
  BOOST_TEST((code == errc::empty));
}

// ---- from elsewhere

BOOST_AUTO_TEST_CASE(a_plain_thread_monitors_through_the_handle) {
  std::vector<exit_kind> kinds;
  errc refused{};
  smarm::runtime rt(quiet(2));
  rt.start();
  auto h = rt.handle().spawn(sleep_for_ever);
  auto m = rt.handle().monitor(h.id());
  auto given_up = rt.handle().monitor(h.id());
  try {
    (void)smarm::monitor(h.id());
  } catch (const boost::system::system_error& e) {
    refused = static_cast<errc>(e.code().value());
  }
  (void)rt.handle().request_stop(h.id());
  kinds.push_back(m.recv().value().reason.kind());
  kinds.push_back(rt.handle().monitor(h.id()).recv().value().reason.kind());
  (void)rt.shutdown(1h);
  kinds.push_back(rt.handle().monitor(h.id()).recv().value().reason.kind());
  kinds.push_back(smarm::runtime_handle().monitor(h.id()).recv().value().reason.kind());
  using enum exit_kind;
  CHECK_LIST(kinds, {stopped, no_process, no_process, no_process});
  BOOST_TEST((refused == errc::not_in_actor));
}

BOOST_AUTO_TEST_CASE(a_monitor_may_outlive_the_runtime) {
  smarm::monitor_ref kept;
  smarm::monitor_ref unheard;
  {
    smarm::runtime rt(quiet(1));
    rt.run([&] {
      smarm::join_handle h;
      std::tie(h, kept) = smarm::spawn_monitor(sleep_for_ever);
      unheard = smarm::monitor(h.id());
    });
  }
  BOOST_TEST(kept.recv().value().reason.kind() == exit_kind::shutdown);
  BOOST_TEST(!unheard.demonitor());
}

BOOST_AUTO_TEST_CASE(the_root_can_be_monitored_and_is_told_before_its_children_go) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    smarm::spawn([&, root = this_actor::self()] {
      const smarm::disable_stop calm;
      auto m = smarm::monitor(root);
      seen.note(to_string(m.recv().value().reason.kind()));
    }).detach();
    this_actor::yield();
  });
  CHECK_LIST(seen.all(), {"normal"});
}

BOOST_AUTO_TEST_CASE(a_spawn_that_is_refused_monitors_nobody) {
  bool refused = false;
  smarm::runtime rt({.schedulers = 1, .max_actors = 2});
  rt.run([&] {
    auto h = smarm::spawn(sleep_for_ever);
    try {
      (void)smarm::spawn_monitor([] {});
    } catch (const boost::system::system_error& e) {
      refused = e.code() == errc::too_many_actors;
    }
  });
  BOOST_TEST(refused);
}

BOOST_AUTO_TEST_CASE(a_labelled_actor_can_be_monitored_too) {
  exit_kind kind{};
  smarm::run([&] {
    auto [h, m] = smarm::spawn_monitor({.label = "somebody", .stack_size = 1 << 17}, [] {});
    kind = m.recv().value().reason.kind();
  });
  BOOST_TEST(kind == exit_kind::normal);
}

BOOST_AUTO_TEST_CASE(a_spawn_that_is_refused_may_be_an_error) {
  bool refused = false;
  bool spawned = false;
  smarm::run([&] {
    auto none = smarm::try_spawn_monitor({.stack_size = 1}, [] {});
    refused = none.has_error() && none.error() == smarm::errc::invalid_config;
    auto made = smarm::try_spawn_monitor([] {});
    spawned = made.has_value() && made->second.recv().value().actor == made->first.id();
  });
  BOOST_TEST(refused);
  BOOST_TEST(spawned);
}

BOOST_AUTO_TEST_SUITE_END()
