// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a supervisor is asked for, and what it says.

#define BOOST_TEST_MODULE supervisor
#include <boost/test/unit_test.hpp>

#include "supervision.hpp"

#include <smarm/error.hpp>
#include <smarm/gen_statem.hpp>
#include <smarm/registry.hpp>
#include <smarm/server_name.hpp>
#include <smarm/spawn.hpp>
#include <smarm/spawn_actor.hpp>
#include <smarm/supervisor.hpp>
#include <smarm/sys.hpp>

#include <boost/describe/enum.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::child_spec;
using smarm::child_state;
using smarm::errc;
using smarm::exit_kind;
using smarm::restart;

namespace {

void run(const std::function<void()>& body) {
  smarm::runtime({.schedulers = 1, .reports = [](const smarm::report&) {}}).run(body);
}

std::string shown(const smarm::child_info& c) {
  return c.id + ' ' + smarm::to_string(c.state) + ' ' + smarm::to_string(c.type) + ' ' +
         smarm::to_string(c.restart) + ' ' + std::to_string(c.restarts);
}
strings shown(const std::vector<smarm::child_info>& all) {
  strings out;
  for (const auto& c : all) {
    out.push_back(shown(c));
  }
  return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(children_start_in_order_and_end_in_reverse) {
  nursery n;
  run([&] {
    auto sup =
        smarm::start_supervisor({}, {child(n, "a"), child(n, "b"), child(n, "c")}).value();
    n.seen.note("all are up");
    (void)sup.shutdown(10s);
    n.seen.note("all are down");
  });
  CHECK_LIST(n.seen.all(), {"a starts", "b starts", "c starts", "all are up", "c ends, shutdown",
                            "b ends, shutdown", "a ends, shutdown", "all are down"});
}

BOOST_AUTO_TEST_CASE(the_last_ref_that_goes_ends_the_children_too) {
  nursery n;
  run([&] {
    auto sup = smarm::start_supervisor({}, {child(n, "a"), child(n, "b"), child(n, "c")}).value();
    auto m = smarm::monitor(sup.id());
    sup = {};
    n.seen.note(m.recv()->reason.text());
  });
  CHECK_LIST(n.seen.all(), {"a starts", "b starts", "c starts", "c ends, shutdown",
                            "b ends, shutdown", "a ends, shutdown", "normal"});
}

BOOST_AUTO_TEST_CASE(three_lines_supervise_plain_actors) {
  recorder seen;
  run([&] {
    int lives = 0;
    auto sup = smarm::start_supervisor({.intensity = 3}, {{.id = "work", .start = [&] {
                                         seen.note("life " + std::to_string(++lives));
                                         if (lives < 3) {
                                           throw std::runtime_error("again");
                                         }
                                         smarm::this_actor::sleep_for(1h);
                                       }}})
                   .value();
    while (lives < 3) {
      smarm::this_actor::yield();
    }
    seen.note(std::to_string(sup.count_children()->restarts));
  });
  CHECK_LIST(seen.all(), {"life 1", "life 2", "life 3", "2"});
}

namespace {
struct typed {
  using message = int;
  explicit typed(recorder& r) : to(r) {}
  void run(smarm::receiver<int>& in) { to.note("typed " + std::to_string(in.recv().value())); }
  recorder& to;
};
} // namespace

BOOST_AUTO_TEST_CASE(children_are_of_any_kind) {
  nursery n;
  strings children;
  run([&] {
    static constexpr smarm::server_name<ward> named("the ward");
    auto sup = smarm::start_supervisor(
                   {}, {{.id = "plain", .start = [&] { n.seen.note("plain"); },
                         .restart = restart::temporary},
                        {.id = "typed", .start = smarm::actor<typed>(std::ref(n.seen))},
                        {.id = "named", .start = smarm::server(named, std::ref(n), "named")},
                        {.id = "tree", .start = smarm::supervision_tree({}, {child(n, "leaf")})}})
                   .value();
    n.seen.note(named.call(ward::ping{}).value());
    smarm::this_actor::yield();
    children = shown(sup.which_children().value());
    n.seen.note(std::to_string(sup.count_children()->supervisors));
  });
  CHECK_LIST(children, {"typed running worker permanent 0", "named running worker permanent 0",
                        "tree running supervisor permanent 0"});
  CHECK_LIST(n.seen.all(), {"plain", "named starts", "leaf starts", "named", "1",
                            "leaf ends, shutdown", "named ends, shutdown"});
}

namespace {
BOOST_DEFINE_ENUM_CLASS(lamp_state, off, on)

class lamp : public smarm::gen_statem<lamp, lamp_state> {
public:
  struct press {};
  struct fail {};
  using events = smarm::events<press, fail>;
  smarm::to<lamp_state::on> on(smarm::in<lamp_state::off>, press) { return {}; }
  smarm::to<lamp_state::off> on(smarm::in<lamp_state::on>, press) { return {}; }
  smarm::stay on(smarm::any_state, fail) { throw std::runtime_error("told to"); }
};
} // namespace

BOOST_AUTO_TEST_CASE(a_state_machine_is_a_child_and_begins_anew) {
  strings states;
  run([&] {
    static constexpr smarm::server_name<lamp> the_lamp("lamp");
    auto sup = smarm::start_supervisor({}, {{.id = "lamp", .start = smarm::server(the_lamp)}}).value();
    (void)the_lamp.cast(lamp::press{});
    while (smarm::sys::state("lamp").value() != "on") { // which is looked at before casts are
      smarm::this_actor::yield();
    }
    states.push_back("on");
    auto m = smarm::monitor(*smarm::whereis("lamp"));
    (void)the_lamp.cast(lamp::fail{});
    (void)m.recv();
    (void)sup.count_children();
    states.push_back(smarm::sys::state("lamp").value());
  });
  CHECK_LIST(states, {"on", "off"});
}

BOOST_AUTO_TEST_CASE(children_come_and_go) {
  nursery n;
  strings children;
  std::vector<errc> errors;
  const auto note = [&](const auto& result) { errors.push_back(code(result)); };
  run([&] {
    auto sup = smarm::start_supervisor({}).value();
    note(sup.start_child(child(n, "a")));                         // 0
    note(sup.start_child(child(n, "a")));                         // already_started
    note(sup.restart_child("a"));                                 // already_started
    note(sup.delete_child("a"));                                  // already_started
    note(sup.terminate_child("a"));                               // 0
    note(sup.terminate_child("a"));                               // 0
    note(sup.start_child(child(n, "a")));                         // already_present
    note(sup.restart_child("a"));                                 // 0
    note(sup.terminate_child("a"));                               // 0
    note(sup.delete_child("a"));                                  // 0
    note(sup.delete_child("a"));                                  // no_child
    note(sup.terminate_child("a"));                               // no_child
    note(sup.restart_child("a"));                                 // no_child
    note(sup.get_childspec("a"));                                 // no_child
    note(sup.find_child<ward>("a"));                              // no_child
    note(sup.start_child(child(n, "b", restart::temporary)));     // 0
    note(sup.terminate_child("b"));                               // 0
    note(sup.delete_child("b"));                                  // no_child: its spec went with it
    n.fail_next("c", 1);
    note(sup.start_child(child(n, "c")));                         // start_failed
    note(sup.delete_child("c"));                                  // no_child
    note(sup.start_child(child(n, "d", restart::transient)));     // 0
    end_child(sup, "d", exit_kind::normal);
    note(sup.find_child<ward>("d"));                              // no_process
    children = shown(sup.which_children().value());
    errors.push_back(sup.get_childspec("d")->restart == restart::transient ? errc{}
                                                                           : errc::no_child);
  });
  CHECK_LIST(errors,
             {errc{}, errc::already_started, errc::already_started, errc::already_started, errc{},
              errc{}, errc::already_present, errc{}, errc{}, errc{}, errc::no_child,
              errc::no_child, errc::no_child, errc::no_child, errc::no_child, errc{}, errc{},
              errc::no_child, errc::start_failed, errc::no_child, errc{}, errc::no_process,
              errc{}});
  CHECK_LIST(children, {"d ended worker transient 0"});
}

BOOST_AUTO_TEST_CASE(a_child_that_chooses_not_to_run_keeps_its_spec) {
  struct shy : smarm::gen_server<shy> {
    smarm::init_result init() { return smarm::init_result::ignore(); }
  };
  strings children;
  bool none = false;
  run([&] {
    auto sup = smarm::start_supervisor(
                   {}, {{.id = "a", .start = smarm::server<shy>()},
                        {.id = "b", .start = smarm::server<shy>(), .restart = restart::temporary}})
                   .value();
    none = !sup.start_child({.id = "c", .start = smarm::server<shy>()}).value().is_valid();
    children = shown(sup.which_children().value());
  });
  BOOST_TEST(none);
  CHECK_LIST(children, {"a ended worker permanent 0", "c ended worker permanent 0"});
}

BOOST_AUTO_TEST_CASE(a_start_that_fails_ends_those_before_it_in_reverse) {
  nursery n;
  recorder reports;
  errc error{};
  smarm::runtime(with_reports(reports)).run([&] {
    n.fail_next("c", 1);
    auto sup = smarm::start_supervisor(
        {.label = "top"}, {child(n, "a"), child(n, "b"), child(n, "c"), child(n, "d")});
    error = code(sup);
    n.seen.note("told");
  });
  BOOST_CHECK(error == errc::start_failed);
  CHECK_LIST(n.seen.all(), {"a starts", "b starts", "c fails to start", "c ends, failed",
                            "b ends, shutdown", "a ends, shutdown", "told"});
  CHECK_LIST(reports.all(), {"failed c", "failed top"});
}

BOOST_AUTO_TEST_CASE(what_failed_to_start_is_gone_when_it_is_tried_again) {
  // It has its name before its init runs: if it were still there the next start would find it taken.
  struct named : smarm::gen_server<named> {
    explicit named(int& lives) : lives_(lives) {}
    void init() {
      if (++lives_ < 500) {
        throw std::runtime_error("not yet");
      }
    }
    int& lives_;
  };
  static constexpr smarm::server_name<named> the_name("a name");
  int lives = 0;
  std::vector<errc> errors;
  run([&] {
    auto sup = smarm::start_supervisor({.intensity = 1000, .period = 1h}).value();
    while (lives < 499) {
      auto result = sup.start_child({.id = "x", .start = smarm::server(the_name, std::ref(lives))});
      if (result || result.error() != errc::start_failed) {
        errors.push_back(code(result));
      }
    }
    (void)sup.start_child({.id = "x", .start = smarm::server(the_name, std::ref(lives))}).value();
  });
  BOOST_TEST(lives == 500);
  BOOST_TEST(errors.empty());
}

BOOST_AUTO_TEST_CASE(names_are_free_before_the_restart) {
  static constexpr smarm::server_name<ward> the_name("the name");
  nursery n;
  std::uint64_t restarts = 0;
  run([&] {
    auto sup = smarm::start_supervisor({.intensity = 10'000, .period = 1h},
                                       {{.id = "x", .start = smarm::server(the_name, std::ref(n),
                                                                           std::string("x"))}})
                   .value();
    for (int i = 0; i < 1000; ++i) {
      end_child(sup, "x", failure());
    }
    restarts = sup.count_children()->restarts;
  });
  BOOST_TEST(restarts == 1000u);
  BOOST_TEST(n.seen.count("x starts") == 1001u);
}

BOOST_AUTO_TEST_CASE(it_is_found_by_its_name_and_seen_by_sys) {
  nursery n;
  std::string state;
  std::vector<int> found;
  run([&] {
    auto sup = smarm::start_supervisor({.strategy = smarm::rest_for_one, .name = "top"},
                                       {child(n, "a")})
                   .value();
    found.push_back(smarm::find_supervisor("top").value() == sup);
    found.push_back(smarm::find_supervisor("nobody").error() == errc::unresolved);
    state = smarm::sys::state(sup).value();
  });
  CHECK_LIST(found, {1, 1});
  BOOST_TEST(state.find("rest_for_one, 1 of 1 children run, 0 restarts") != std::string::npos,
             state);
}

BOOST_AUTO_TEST_CASE(plain_threads_use_it_too) {
  nursery n;
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
  rt.start();
  auto sup = smarm::start_supervisor(rt.handle(), {.name = "top"}, {child(n, "a")}).value();
  BOOST_TEST(sup.start_child(child(n, "b")).has_value());
  BOOST_TEST(sup.which_children()->size() == 2u);
  BOOST_TEST((sup.find_child<ward>("b")->call(ward::ping{}).value() == "b"));
  BOOST_CHECK(smarm::find_supervisor(rt.handle(), "top").value() == sup);
  BOOST_TEST(sup.shutdown(10s).has_value());
  BOOST_CHECK(sup.start_child(child(n, "c")).error() == errc::server_down);
  BOOST_TEST(rt.shutdown(10s).empty());
  BOOST_CHECK(smarm::find_supervisor(rt.handle(), "top").error() == errc::runtime_down ||
              smarm::find_supervisor(rt.handle(), "top").error() == errc::unresolved);
  BOOST_TEST(n.living() == 0);
}

BOOST_AUTO_TEST_CASE(the_end_of_the_root_ends_the_tree_in_order) {
  nursery n;
  run([&] {
    auto keep = smarm::start_supervisor(
                    {.name = "top"},
                    {child(n, "a"),
                     {.id = "sub", .start = smarm::supervision_tree({}, {child(n, "b")})}})
                    .value();
  });
  CHECK_LIST(n.seen.all(),
             {"a starts", "b starts", "b ends, shutdown", "a ends, shutdown"});
}

BOOST_AUTO_TEST_CASE(a_ref_to_none_refuses) {
  std::vector<int> refused;
  run([&] {
    smarm::supervisor_ref none;
    refused.push_back(none.count_children().error() == errc::server_down);
    refused.push_back(none.terminate_child("x").error() == errc::server_down);
    refused.push_back(none.shutdown(1s).has_value());
  });
  CHECK_LIST(refused, {1, 1, 1});
}
