// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A supervisor whose children come and go.

#define BOOST_TEST_MODULE dynamic_supervisor
#include <boost/test/unit_test.hpp>

#include "supervision.hpp"

#include <smarm/dynamic_supervisor.hpp>
#include <smarm/error.hpp>
#include <smarm/supervisor.hpp>
#include <smarm/sys.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::child_state;
using smarm::errc;
using smarm::exit_kind;
using smarm::restart;

namespace {

void run(const std::function<void()>& body) {
  smarm::runtime({.schedulers = 1, .reports = [](const smarm::report&) {}}).run(body);
}

void end_and_wait(const smarm::dynamic_supervisor_ref& sup, const smarm::server_ref<ward>& server,
                  smarm::exit_reason why) {
  auto m = smarm::monitor(server.id());
  (void)server.cast(ward::end{std::move(why)});
  (void)m.recv();
  (void)sup.count_children();
}

} // namespace

BOOST_AUTO_TEST_CASE(children_are_started_as_they_are_asked_for) {
  nursery n;
  strings seen;
  run([&] {
    auto sup = smarm::start_dynamic_supervisor({.max_children = 2}).value();
    auto a = sup.start_child<ward>({.restart = restart::temporary}, std::ref(n), "a").value();
    auto b = sup.start_child<ward>({}, std::ref(n), "b").value();
    seen.push_back(a.call(ward::ping{}).value() + b.call(ward::ping{}).value());
    seen.push_back(
        code(sup.start_child<ward>({}, std::ref(n), "c")) ==
                errc::too_many_children
            ? "full"
            : "not full");
    end_and_wait(sup, a, exit_kind::normal);
    seen.push_back(std::to_string(sup.count_children()->specs));
    (void)sup.start_child(child(n, "c")).value();
    seen.push_back(code(sup.terminate_child(b.id())) == errc{} ? "terminated" : "not found");
    seen.push_back(code(sup.terminate_child(b.id())) == errc::no_child ? "gone" : "there");
    seen.push_back(std::to_string(sup.which_children()->size()));
    const smarm::pid c = sup.which_children()->front().actor;
    seen.push_back(sup.find_child<ward>(c)->call(ward::ping{}).value());
    struct other : smarm::gen_server<other> {};
    seen.push_back(code(sup.find_child<other>(c)) == errc::no_channel ? "no other" : "an other");
    seen.push_back(code(sup.find_child<ward>(b.id())) == errc::no_child ? "gone" : "there");
  });
  CHECK_LIST(seen, {"ab", "full", "1", "terminated", "gone", "1", "c", "no other", "gone"});
  BOOST_TEST(n.living() == 0);
}

BOOST_AUTO_TEST_CASE(a_child_is_started_anew_by_itself_or_forgotten) {
  struct row {
    restart type;
    exit_kind end;
    bool anew;
  };
  for (const row& r : {row{restart::permanent, exit_kind::normal, true},
                       row{restart::permanent, exit_kind::failed, true},
                       row{restart::transient, exit_kind::normal, false},
                       row{restart::transient, exit_kind::failed, true},
                       row{restart::temporary, exit_kind::failed, false}}) {
    nursery n;
    smarm::child_count count;
    run([&] {
      auto sup = smarm::start_dynamic_supervisor().value();
      auto a = sup.start_child<ward>({.restart = r.type}, std::ref(n), "a").value();
      (void)sup.start_child<ward>({}, std::ref(n), "b").value();
      end_and_wait(sup, a, r.end == exit_kind::failed ? failure() : smarm::exit_reason(r.end));
      count = sup.count_children().value();
    });
    BOOST_TEST_CONTEXT(smarm::to_string(r.type) << ", " << smarm::to_string(r.end)) {
      BOOST_TEST(count.active == (r.anew ? 2u : 1u));
      BOOST_TEST(count.specs == count.active);
      BOOST_TEST(count.restarts == (r.anew ? 1u : 0u));
      BOOST_TEST(n.seen.count("b starts") == 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_start_that_fails_leaves_nothing) {
  struct shy : smarm::gen_server<shy> {
    smarm::init_result init() { return smarm::init_result::ignore(); }
  };
  nursery n;
  std::vector<errc> errors;
  std::size_t left = 1;
  run([&] {
    auto sup = smarm::start_dynamic_supervisor({.max_children = 1}).value();
    n.fail_next("a", 1);
    errors.push_back(code(sup.start_child<ward>({}, std::ref(n), "a")));
    errors.push_back(code(sup.start_child<shy>({})));
    auto none = sup.start_child({.start = smarm::server<shy>()});
    errors.push_back(none && !none->is_valid() ? errc{} : errc::start_failed);
    left = sup.count_children()->specs;
    errors.push_back(code(sup.start_child<ward>({}, std::ref(n), "b")));
  });
  CHECK_LIST(errors, {errc::start_failed, errc::start_ignored, errc{}, errc{}});
  BOOST_TEST(left == 0u);
}

BOOST_AUTO_TEST_CASE(it_gives_up_and_takes_all_along) {
  nursery n;
  recorder reports;
  std::string ended;
  smarm::runtime(with_reports(reports)).run([&] {
    auto sup = smarm::start_dynamic_supervisor({.intensity = 1, .period = 1h}).value();
    auto m = smarm::monitor(sup.id());
    auto a = sup.start_child<ward>({.id = "a"}, std::ref(n), "a").value();
    (void)sup.start_child<ward>({.id = "b"}, std::ref(n), "b").value();
    n.fail_next("a", 1'000'000);
    (void)a.cast(ward::end{failure()});
    ended = m.recv()->reason.text();
  });
  BOOST_TEST(ended == "shutdown");
  BOOST_TEST(n.living() == 0);
  BOOST_TEST(reports.all().back() == "gave up a");
}

BOOST_AUTO_TEST_CASE(it_is_a_child_like_any_other) {
  nursery n;
  std::string state;
  run([&] {
    auto top = smarm::start_supervisor(
                   {}, {{.id = "many", .start = smarm::dynamic_supervisor({.name = "many"})}})
                   .value();
    auto many = smarm::find_dynamic_supervisor("many").value();
    for (int i = 0; i < 100; ++i) {
      (void)many.start_child<ward>({}, std::ref(n), std::to_string(i)).value();
    }
    state = smarm::sys::state("many").value();
    n.seen.note(smarm::to_string(top.which_children()->front().type));
    (void)top.terminate_child("many");
    n.seen.note(std::to_string(n.living()) + " left");
  });
  BOOST_TEST(n.seen.count("supervisor") == 1u);
  BOOST_TEST(n.seen.all().back() == "0 left");
  BOOST_TEST(state.find("100 of 100 children run") != std::string::npos, state);
}
