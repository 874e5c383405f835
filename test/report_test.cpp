// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Reports: which endings are told, with what, to whom, and what a sink may do.

#define BOOST_TEST_MODULE report
#include <boost/test/unit_test.hpp>

#include "child_process.hpp"
#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/report.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::report_kind;
namespace this_actor = smarm::this_actor;

namespace {

using reports = basic_recorder<smarm::report>;

smarm::config told_to(reports& to, unsigned schedulers = 1) {
  return {.schedulers = schedulers, .reports = [&to](const smarm::report& r) { to.note(r); }};
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void fail() { throw std::runtime_error("its own words"); }

} // namespace

BOOST_AUTO_TEST_SUITE(report_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(failures_and_stops_are_told_and_clean_endings_are_not) {
  reports told;
  smarm::pid root;
  std::vector<smarm::pid> who;
  smarm::runtime rt(told_to(told));
  rt.run([&] {
    root = this_actor::self();
    auto failed = smarm::spawn({.label = "failing"}, fail);
    auto stopped = smarm::spawn([] { this_actor::sleep_for(24h); });
    auto shut_down = smarm::spawn([] { this_actor::sleep_for(24h); });
    auto normal = smarm::spawn([] {});
    who = {failed.id(), stopped.id()};
    this_actor::yield();
    (void)smarm::request_stop(stopped.id());
    (void)smarm::request_shutdown(shut_down.id());
    for (auto* h : {&failed, &stopped, &shut_down, &normal}) {
      (void)h->join();
    }
  });
  const auto all = told.all();
  BOOST_REQUIRE(all.size() == 2u);
  BOOST_TEST((all[0].kind == report_kind::actor_failed));
  BOOST_TEST(all[0].actor == who[0]);
  BOOST_TEST(all[0].parent == root);
  BOOST_TEST(all[0].label == "failing");
  BOOST_TEST((all[0].reason == smarm::exit_kind::failed));
  BOOST_TEST((all[0].reason.exception() != nullptr));
  BOOST_TEST(says(all[0].text, "its own words"), all[0].text);
  BOOST_TEST((all[1].kind == report_kind::actor_stopped));
  BOOST_TEST(all[1].actor == who[1]);
  BOOST_TEST(all[1].label == "");
  BOOST_TEST((all[1].reason == smarm::exit_kind::stopped));
}

BOOST_AUTO_TEST_CASE(the_roots_failure_is_told_as_well_as_thrown) {
  reports told;
  bool thrown = false;
  smarm::runtime rt(told_to(told));
  try {
    rt.run(fail);
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  BOOST_TEST(thrown);
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(told.all()[0].parent == smarm::pid::root());
}

BOOST_AUTO_TEST_CASE(an_exception_that_is_no_standard_one_is_told_too) {
  reports told;
  smarm::runtime rt(told_to(told));
  rt.run([] { (void)smarm::spawn([] { throw 7; }).join(); });
  BOOST_REQUIRE(told.size() == 1u);
  BOOST_TEST(!told.all()[0].text.empty());
}

BOOST_AUTO_TEST_CASE(the_report_is_made_on_the_dying_actor_before_anybody_learns_of_its_end) {
  recorder seen;
  smarm::pid self;
  smarm::pid reported;
  std::vector<int> in_sink;
  smarm::runtime rt({.schedulers = 1, .reports = [&](const smarm::report& r) {
                       seen.note("reported");
                       self = this_actor::self();
                       reported = r.actor;
                       in_sink.push_back(this_actor::is_actor());
                     }});
  rt.run([&] {
    auto h = smarm::spawn([&] {
      const noted_end end(seen, "unwound");
      fail();
    });
    (void)h.join();
    seen.note("joined");
  });
  CHECK_LIST(seen.all(), {"unwound", "reported", "joined"});
  BOOST_TEST(self == reported);
  CHECK_LIST(in_sink, {1});
}

BOOST_AUTO_TEST_CASE(a_sink_may_send_and_spawn_and_no_stop_is_raised_in_it) {
  recorder seen;
  tokens gate;
  smarm::runtime rt({.schedulers = 2, .reports = [&](const smarm::report&) {
                       gate.give();
                       (void)smarm::spawn([&] { seen.note("spawned by the sink"); }).join();
                       this_actor::yield();
                       this_actor::checkpoint();
                       this_actor::sleep_for(10us);
                       seen.note("reported");
                     }});
  rt.run([&] {
    auto stopped = smarm::spawn([] { this_actor::sleep_for(24h); });
    until([&] { return parked(stopped.id()); });
    (void)smarm::request_stop(stopped.id());
    gate.take();
    (void)smarm::request_stop(stopped.id()); // once more, while it reports
    seen.note(to_string(stopped.join().kind()));
  });
  CHECK_LIST(seen.all(), {"spawned by the sink", "reported", "stopped"});
}

BOOST_AUTO_TEST_CASE(what_a_sink_throws_is_counted_and_changes_nothing) {
  std::vector<smarm::exit_kind> how;
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report& r) {
                       if (r.kind == report_kind::actor_failed) {
                         throw std::logic_error("the sink fails");
                       }
                       throw 1;
                     }});
  rt.run([&] {
    how.push_back(smarm::spawn(fail).join().kind());
    auto stopped = smarm::spawn([] { this_actor::sleep_for(24h); });
    this_actor::yield();
    (void)smarm::request_stop(stopped.id());
    how.push_back(stopped.join().kind());
  });
  CHECK_LIST(how, {smarm::exit_kind::failed, smarm::exit_kind::stopped});
  BOOST_TEST(rt.stats().sink_failures == 2u);
}

BOOST_AUTO_TEST_CASE(reports_of_many_at_once_are_all_told) {
  reports told;
  smarm::runtime rt(told_to(told, 4));
  rt.run([] {
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < 500; ++i) {
      all.push_back(smarm::spawn(fail));
    }
    for (auto& h : all) {
      (void)h.join();
    }
  });
  BOOST_TEST(told.size() == 500u);
}

// ---- the default

#define CHECK_SAYS(end, text) BOOST_TEST(says((end).error, text), "it said: " << (end).error)

BOOST_AUTO_TEST_CASE(without_a_sink_each_report_is_a_line_on_standard_error) {
  const child_end end = in_child([] {
    smarm::run([] {
      (void)smarm::spawn({.label = "parser"}, fail).join();
      (void)smarm::spawn(fail).join();
      (void)smarm::spawn([] {}).join();
    });
    return 0;
  });
  BOOST_TEST(end.status == 0);
  BOOST_TEST(std::count(end.error.begin(), end.error.end(), '\n') == 2, end.error);
  CHECK_SAYS(end, "smarm: actor <1.");
  CHECK_SAYS(end, " \"parser\": ");
  CHECK_SAYS(end, "its own words\n");
}

BOOST_AUTO_TEST_CASE(a_report_about_nobody_is_a_line_too) {
  const child_end end = in_child([] {
    smarm::report r;
    r.kind = report_kind::out_of_stacks;
    smarm::write_report(r);
    r.text = "and why";
    smarm::write_report(r);
    r.actor = smarm::pid(1, 2);
    r.label = "\x1b[2J";
    r.text = "line\nline \x07";
    r.details = "a\nb \x1b";
    smarm::write_report(r);
    return 0;
  });
  BOOST_TEST(end.error == "smarm: out of stacks\nsmarm: and why\n"
                          "smarm: actor <1.2> \"\\x1b[2J\": line\nline \\x07; a b \\x1b\n");
}

BOOST_AUTO_TEST_CASE(every_kind_has_a_name) {
  strings names;
  for (const report_kind k :
       {report_kind::actor_failed, report_kind::actor_stopped, report_kind::out_of_stacks,
        report_kind::callback_failed, report_kind::zombie,
        report_kind::child_restarted, report_kind::child_abandoned, report_kind::gave_up,
        report_kind::accept_failed}) {
    names.push_back(smarm::to_string(k));
  }
  CHECK_LIST(names, {"failed", "stopped", "out of stacks", "callback failed", "zombie",
                     "restarted", "abandoned", "gave up", "cannot accept"});
}

BOOST_AUTO_TEST_SUITE_END()
