// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// OTP's rules as tables: which end is answered by a restart, who is started anew with whom, and what
// happens when that does not work.

#define BOOST_TEST_MODULE supervisor_restart
#include <boost/test/unit_test.hpp>

#include "supervision.hpp"

#include <smarm/channel.hpp>
#include <smarm/error.hpp>
#include <smarm/server_name.hpp>
#include <smarm/supervisor.hpp>

#include <chrono>
#include <memory>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::child_state;
using smarm::errc;
using smarm::exit_kind;
using smarm::restart;
using smarm::strategy;

namespace {

void run(const std::function<void()>& body) {
  smarm::runtime({.schedulers = 1, .reports = [](const smarm::report&) {}}).run(body);
}

strings states(const smarm::supervisor_ref& sup) {
  strings out;
  for (const auto& c : sup.which_children().value()) {
    std::ostringstream one;
    one << c.id << ' ' << smarm::to_string(c.state) << ' ' << c.restarts;
    out.push_back(one.str());
  }
  return out;
}

std::string joined(const strings& all) {
  std::string out;
  for (const auto& s : all) {
    if (!out.empty()) {
      out += ", ";
    }
    out += s;
  }
  return out;
}

} // namespace

// ---- restart type x reason

namespace {
struct restart_row {
  restart type;
  exit_kind end;
  const char* expected; // of the child
  friend std::ostream& operator<<(std::ostream& out, const restart_row& r) {
    return out << smarm::to_string(r.type) << ", " << smarm::to_string(r.end);
  }
};
const restart_row restart_rows[] = {
    {restart::permanent, exit_kind::normal, "a running 1"},
    {restart::permanent, exit_kind::failed, "a running 1"},
    {restart::permanent, exit_kind::stopped, "a running 1"},
    {restart::permanent, exit_kind::shutdown, "a running 1"},
    {restart::transient, exit_kind::normal, "a ended 0"},
    {restart::transient, exit_kind::failed, "a running 1"},
    {restart::transient, exit_kind::stopped, "a running 1"},
    {restart::transient, exit_kind::shutdown, "a ended 0"},
    {restart::temporary, exit_kind::normal, ""},
    {restart::temporary, exit_kind::failed, ""},
    {restart::temporary, exit_kind::stopped, ""},
    {restart::temporary, exit_kind::shutdown, ""},
};
} // namespace

BOOST_AUTO_TEST_CASE(the_type_decides_after_which_end_a_child_is_started_anew) {
  for (const auto& row : restart_rows) {
    BOOST_TEST_CONTEXT(row) {
      nursery n;
      std::string seen;
      run([&] {
        auto sup = smarm::start_supervisor({}, {child(n, "a", row.type)}).value();
        end_child(sup, "a", row.end == exit_kind::failed ? failure() : smarm::exit_reason(row.end));
        seen = joined(states(sup));
      });
      BOOST_TEST(seen == row.expected);
    }
  }
}

// A stop from outside is no clean end, a shutdown is one.
BOOST_AUTO_TEST_CASE(who_is_ended_by_others_counts_by_how) {
  nursery n;
  strings seen;
  run([&] {
    auto sup = smarm::start_supervisor({.intensity = 5},
                                       {child(n, "stopped", restart::transient),
                                        child(n, "shut", restart::transient)})
                   .value();
    for (const char* id : {"stopped", "shut"}) {
      const smarm::pid who = sup.find_child<ward>(id)->id();
      auto m = smarm::monitor(who);
      (void)(std::string(id) == "stopped" ? smarm::request_stop(who)
                                          : smarm::request_shutdown(who));
      (void)m.recv();
      (void)sup.count_children();
    }
    seen = states(sup);
  });
  CHECK_LIST(seen, {"stopped running 1", "shut ended 0"});
}

// ---- strategy x failing position

namespace {
struct strategy_row {
  strategy how;
  const char* failing;
  strings expected;
  friend std::ostream& operator<<(std::ostream& out, const strategy_row& r) {
    return out << smarm::to_string(r.how) << ", " << r.failing;
  }
};
const std::vector<strategy_row> strategy_rows = {
    {strategy::one_for_one, "a", {"a ends, failed", "a starts"}},
    {strategy::one_for_one, "b", {"b ends, failed", "b starts"}},
    {strategy::one_for_one, "c", {"c ends, failed", "c starts"}},
    {strategy::one_for_all,
     "a",
     {"a ends, failed", "c ends, shutdown", "b ends, shutdown", "a starts", "b starts",
      "c starts"}},
    {strategy::one_for_all,
     "b",
     {"b ends, failed", "c ends, shutdown", "a ends, shutdown", "a starts", "b starts",
      "c starts"}},
    {strategy::one_for_all,
     "c",
     {"c ends, failed", "b ends, shutdown", "a ends, shutdown", "a starts", "b starts",
      "c starts"}},
    {strategy::rest_for_one,
     "a",
     {"a ends, failed", "c ends, shutdown", "b ends, shutdown", "a starts", "b starts",
      "c starts"}},
    {strategy::rest_for_one,
     "b",
     {"b ends, failed", "c ends, shutdown", "b starts", "c starts"}},
    {strategy::rest_for_one, "c", {"c ends, failed", "c starts"}},
};
} // namespace

BOOST_AUTO_TEST_CASE(the_strategy_decides_who_is_started_anew_with_it) {
  for (const auto& row : strategy_rows) {
    BOOST_TEST_CONTEXT(row) {
      nursery n;
      strings seen;
      std::uint64_t restarts = 0;
      run([&] {
        auto sup = smarm::start_supervisor({.strategy = row.how},
                                           {child(n, "a"), child(n, "b"), child(n, "c")})
                       .value();
        const std::size_t before = n.seen.size();
        end_child(sup, row.failing, failure());
        seen = n.seen.all();
        seen.erase(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(before));
        restarts = sup.count_children()->restarts;
      });
      BOOST_TEST(seen == row.expected, boost::test_tools::per_element());
      BOOST_TEST(restarts == 1u); // the whole group is one
    }
  }
}

// The same where one of the group cannot be started the first time: it is tried again as if it had
// ended then, with those that the strategy says.
namespace {
struct failing_row {
  strategy how;
  const char* failing;
  const char* not_starting;
  strings expected;
  std::uint64_t restarts;
  friend std::ostream& operator<<(std::ostream& out, const failing_row& r) {
    return out << smarm::to_string(r.how) << ", " << r.failing << ", then " << r.not_starting;
  }
};
const std::vector<failing_row> failing_rows = {
    {strategy::one_for_one,
     "b",
     "b",
     {"b ends, failed", "b fails to start", "b ends, failed", "b starts"},
     2},
    {strategy::one_for_all,
     "b",
     "a",
     {"b ends, failed", "c ends, shutdown", "a ends, shutdown", "a fails to start",
      "a ends, failed", "a starts", "b starts", "c starts"},
     2},
    {strategy::one_for_all,
     "a",
     "c",
     {"a ends, failed", "c ends, shutdown", "b ends, shutdown", "a starts", "b starts",
      "c fails to start", "c ends, failed", "b ends, shutdown", "a ends, shutdown", "a starts",
      "b starts", "c starts"},
     2},
    {strategy::rest_for_one,
     "a",
     "b",
     {"a ends, failed", "c ends, shutdown", "b ends, shutdown", "a starts", "b fails to start",
      "b ends, failed", "b starts", "c starts"},
     2},
    {strategy::rest_for_one,
     "b",
     "b",
     {"b ends, failed", "c ends, shutdown", "b fails to start", "b ends, failed", "b starts",
      "c starts"},
     2},
};
} // namespace

BOOST_AUTO_TEST_CASE(a_restart_that_fails_is_tried_again) {
  for (const auto& row : failing_rows) {
    BOOST_TEST_CONTEXT(row) {
      nursery n;
      strings seen;
      std::uint64_t restarts = 0;
      run([&] {
        auto sup = smarm::start_supervisor({.strategy = row.how, .intensity = 5},
                                           {child(n, "a"), child(n, "b"), child(n, "c")})
                       .value();
        const std::size_t before = n.seen.size();
        n.fail_next(row.not_starting, 1);
        end_child(sup, row.failing, failure());
        while (sup.count_children()->active != 3) {
        }
        seen = n.seen.all();
        seen.erase(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(before));
        restarts = sup.count_children()->restarts;
      });
      BOOST_TEST(seen == row.expected, boost::test_tools::per_element());
      BOOST_TEST(restarts == row.restarts);
    }
  }
}

BOOST_AUTO_TEST_CASE(temporary_siblings_are_ended_with_the_others_and_not_started_again) {
  for (const strategy how : {strategy::one_for_all, strategy::rest_for_one}) {
    for (const bool first : {true, false}) {
      nursery n;
      strings seen;
      run([&] {
        auto sup = smarm::start_supervisor(
                       {.strategy = how},
                       {child(n, "t", first ? restart::temporary : restart::permanent),
                        child(n, "a"), child(n, "u", restart::temporary), child(n, "b")})
                       .value();
        end_child(sup, "a", failure());
        seen = states(sup);
      });
      if (how == strategy::one_for_all) {
        BOOST_TEST(joined(seen) == (first ? "a running 1, b running 1"
                                          : "t running 1, a running 1, b running 1"));
      } else {
        BOOST_TEST(joined(seen) == "t running 0, a running 1, b running 1");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_group_that_waits_for_one_that_is_terminated_goes_on_without_it) {
  nursery n;
  strings before;
  strings after;
  run([&] {
    auto sup = smarm::start_supervisor(
                   {.strategy = smarm::rest_for_one, .intensity = smarm::unlimited, .backoff = {.initial = 1h,
                                                                                .maximum = 1h}},
                   {child(n, "a"), child(n, "b"), child(n, "c")})
                   .value();
    end_child(sup, "b", failure());
    before = states(sup);
    (void)sup.terminate_child("b");
    while (sup.count_children()->active != 2) {
    }
    after = states(sup);
  });
  CHECK_LIST(before, {"a running 0", "b restarting 0", "c restarting 0"});
  CHECK_LIST(after, {"a running 0", "b ended 0", "c running 1"});
}

BOOST_AUTO_TEST_CASE(what_restarts_can_be_terminated_and_is_not_started_then) {
  nursery n;
  strings seen;
  std::vector<smarm::errc> errors;
  run([&] {
    auto sup = smarm::start_supervisor({.intensity = smarm::unlimited,
                                        .backoff = {.initial = 1h, .maximum = 1h}},
                                       {child(n, "a")})
                   .value();
    end_child(sup, "a", failure());
    errors.push_back(code(sup.restart_child("a")));
    errors.push_back(code(sup.delete_child("a")));
    errors.push_back(code(sup.find_child<ward>("a")));
    (void)sup.terminate_child("a");
    seen = states(sup);
    (void)sup.restart_child("a");
    seen.push_back(joined(states(sup)));
  });
  CHECK_LIST(errors, {smarm::errc::child_restarting, smarm::errc::child_restarting,
                      smarm::errc::no_process});
  CHECK_LIST(seen, {"a ended 0", "a running 0"});
}

// ---- the window

namespace {
struct fake_clock {
  std::chrono::steady_clock::time_point now{};
};
} // namespace

BOOST_AUTO_TEST_CASE(it_gives_up_after_one_restart_too_many_and_ends_cleanly) {
  nursery n;
  recorder reports;
  strings ended;
  smarm::runtime(with_reports(reports)).run([&] {
    fake_clock clock;
    auto sup = smarm::start_supervisor({.intensity = 2,
                                        .period = 10s,
                                        .label = "top",
                                        .clock = [&] { return clock.now; }},
                                       {child(n, "a"), child(n, "b")})
                   .value();
    auto m = smarm::monitor(sup.id());
    end_child(sup, "b", failure());
    clock.now += 5s;
    end_child(sup, "b", failure());
    clock.now += 6s; // the first one is out of the window
    end_child(sup, "b", failure());
    clock.now += 4s;
    (void)sup.find_child<ward>("b")->cast(ward::end{failure()});
    ended.push_back(m.recv()->reason.text());
  });
  CHECK_LIST(ended, {"shutdown"});
  CHECK_LIST(reports.all(),
             {"failed b", "restarted b", "failed b", "restarted b", "failed b", "restarted b",
              "failed b", "gave up b"});
  BOOST_TEST(n.seen.all().back() == "a ends, shutdown");
}

BOOST_AUTO_TEST_CASE(who_gives_up_ends_those_that_are_left_in_reverse) {
  for (const strategy how :
       {strategy::one_for_one, strategy::one_for_all, strategy::rest_for_one}) {
    nursery n;
    strings seen;
    run([&] {
      auto sup =
          smarm::start_supervisor({.strategy = how, .intensity = 0},
                                  {child(n, "a"), child(n, "b"), child(n, "c"), child(n, "d")})
              .value();
      auto m = smarm::monitor(sup.id());
      (void)sup.find_child<ward>("b")->cast(ward::end{failure()});
      (void)m.recv();
      seen = n.seen.all();
      seen.erase(seen.begin(), seen.begin() + 4); // their starts
    });
    CHECK_LIST(seen,
               {"b ends, failed", "d ends, shutdown", "c ends, shutdown", "a ends, shutdown"});
  }
}

// ---- what a new incarnation has of the one before

BOOST_AUTO_TEST_CASE(what_means_the_incarnation_before_a_restart_does_not_reach_the_next) {
  static constexpr smarm::server_name<ward> the_name("role");
  nursery n;
  std::vector<errc> codes;
  std::vector<bool> right;
  strings seen;
  run([&] {
    auto sup =
        smarm::start_supervisor(
            {}, {{.id = "a", .start = smarm::server(the_name, std::ref(n), std::string("a"))}})
            .value();
    const auto old = sup.find_child<ward>("a").value();
    end_child(sup, "a", failure());
    right.push_back(!smarm::request_stop(old.id()));
    right.push_back(!smarm::request_shutdown(old.id()));
    codes.push_back(code(old.cast(ward::end{failure()})));
    codes.push_back(code(old.call(ward::ping{})));
    right.push_back(smarm::monitor(old.id()).recv()->reason == exit_kind::no_process);
    right.push_back(the_name.whereis()->id() != old.id());
    right.push_back(the_name.call(ward::ping{}).value() == "a");
    seen = states(sup);
  });
  BOOST_TEST((codes == std::vector<errc>(2, errc::server_down)));
  BOOST_TEST(right == std::vector<bool>(5, true), boost::test_tools::per_element());
  CHECK_LIST(seen, {"a running 1"}); // nothing of that has ended the new one
}

BOOST_AUTO_TEST_CASE(a_new_incarnation_begins_with_an_empty_inbox) {
  struct clerk : smarm::gen_server<clerk> {
    struct fail_when {
      smarm::receiver<int> gate;
    };
    struct note {
      std::shared_ptr<std::string> what;
    };
    struct ask {};
    explicit clerk(recorder& to) : to_(to) {}
    void handle_cast(fail_when f) {
      (void)f.gate.recv();
      throw std::runtime_error("told to");
    }
    void handle_cast(const note& n) { to_.note(*n.what); }
    int handle_call(ask) const { return 1; }
    recorder& to_;
  };
  recorder seen;
  errc asked{};
  long kept = 0;
  bool answered = false;
  run([&] {
    auto sup =
        smarm::start_supervisor({}, {{.id = "a", .start = smarm::server<clerk>(std::ref(seen))}})
            .value();
    auto old = sup.find_child<clerk>("a").value();
    auto m = smarm::monitor(old.id());
    auto [open, gate] = smarm::channel<int>();
    (void)old.cast(clerk::fail_when{std::move(gate)});
    const auto queued = std::make_shared<std::string>("queued before");
    for (int i = 0; i < 10; ++i) {
      (void)old.cast(clerk::note{queued});
    }
    auto call = old.send_request(clerk::ask{}).value();
    (void)open.send(1);
    (void)m.recv();
    (void)sup.count_children();
    asked = code(call.recv());
    auto next = sup.find_child<clerk>("a").value();
    (void)next.cast(clerk::note{std::make_shared<std::string>("sent after")});
    answered = next.call(clerk::ask{}).value() == 1;
    kept = queued.use_count();
  });
  CHECK_LIST(seen.all(), {"sent after"});
  BOOST_TEST((asked == errc::server_down));
  BOOST_TEST(kept == 1);
  BOOST_TEST(answered);
}

BOOST_AUTO_TEST_CASE(an_intensity_of_0_gives_up_at_the_first) {
  nursery n;
  strings ended;
  run([&] {
    auto sup = smarm::start_supervisor({.intensity = 0}, {child(n, "a")}).value();
    auto m = smarm::monitor(sup.id());
    (void)sup.find_child<ward>("a")->cast(ward::end{failure()});
    ended.push_back(m.recv()->reason.text());
  });
  CHECK_LIST(ended, {"shutdown"});
}

BOOST_AUTO_TEST_CASE(a_child_that_starts_once_and_then_always_fails_makes_it_give_up) {
  for (const strategy how :
       {strategy::one_for_one, strategy::one_for_all, strategy::rest_for_one}) {
    nursery n;
    std::size_t tries = 0;
    strings ended;
    run([&] {
      auto sup = smarm::start_supervisor({.strategy = how, .intensity = 7, .period = 1h},
                                         {child(n, "a"), child(n, "b")})
                     .value();
      auto m = smarm::monitor(sup.id());
      n.fail_next("b", 1'000'000);
      (void)sup.find_child<ward>("b")->cast(ward::end{failure()});
      ended.push_back(m.recv()->reason.text());
      tries = n.seen.count("b fails to start");
    });
    CHECK_LIST(ended, {"shutdown"});
    BOOST_TEST(tries == 7u);
    BOOST_TEST(n.living() == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_tree_gives_up_level_by_level) {
  nursery n;
  strings ended;
  std::size_t starts = 0;
  run([&] {
    smarm::supervisor_options options{.intensity = 1, .period = 1h};
    static constexpr smarm::server_name<ward> the_leaf("leaf");
    auto inner = smarm::supervision_tree(
        options,
        {{.id = "leaf", .start = smarm::server(the_leaf, std::ref(n), std::string("leaf"))}});
    auto middle = smarm::supervision_tree(options, {{.id = "inner", .start = inner}});
    auto top = smarm::start_supervisor(options, {{.id = "middle", .start = middle}}).value();
    auto m = smarm::monitor(top.id());
    // At each level one restart is allowed: two lives each, and so eight of the leaf.
    for (std::size_t life = 1; life <= 8; ++life) {
      while (n.seen.count("leaf starts") < life) {
        smarm::this_actor::yield();
      }
      (void)the_leaf.cast(ward::end{failure()});
    }
    ended.push_back(m.recv()->reason.text());
    starts = n.seen.count("leaf starts");
  });
  CHECK_LIST(ended, {"shutdown"});
  BOOST_TEST(starts == 8u);
}

// ---- significant children

namespace {
struct significant_row {
  smarm::auto_shutdown policy;
  strings ends; // in this order, all normally
  bool ends_it;
  friend std::ostream& operator<<(std::ostream& out, const significant_row& r) {
    return out << smarm::to_string(r.policy) << ": " << joined(r.ends);
  }
};
const std::vector<significant_row> significant_rows = {
    {smarm::auto_shutdown::any_significant, {"worker"}, false},
    {smarm::auto_shutdown::any_significant, {"s"}, true},
    {smarm::auto_shutdown::any_significant, {"worker", "t"}, true},
    {smarm::auto_shutdown::all_significant, {"s"}, false},
    {smarm::auto_shutdown::all_significant, {"t"}, false},
    {smarm::auto_shutdown::all_significant, {"s", "t"}, true},
    {smarm::auto_shutdown::all_significant, {"t", "worker", "s"}, true},
};
} // namespace

BOOST_AUTO_TEST_CASE(the_end_of_significant_children_ends_it) {
  for (const auto& row : significant_rows) {
    BOOST_TEST_CONTEXT(row) {
      nursery n;
      bool alive = false;
      run([&] {
        auto s = child(n, "s", restart::transient);
        auto t = child(n, "t", restart::temporary);
        s.significant = t.significant = true;
        auto sup = smarm::start_supervisor({.auto_shutdown = row.policy},
                                           {s, t, child(n, "worker", restart::temporary)})
                       .value();
        auto m = smarm::monitor(sup.id());
        for (const auto& id : row.ends) {
          end_child(sup, id, exit_kind::normal);
        }
        alive = sup.count_children().has_value();
        if (!alive) {
          n.seen.note(m.recv()->reason.text());
        }
      });
      BOOST_TEST(alive == !row.ends_it);
      BOOST_TEST(n.seen.count("shutdown") == (row.ends_it ? 1u : 0u));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_significant_child_that_is_terminated_or_restarted_ends_nothing) {
  nursery n;
  strings seen;
  run([&] {
    auto s = child(n, "s", restart::transient);
    s.significant = true;
    auto sup = smarm::start_supervisor(
                   {.auto_shutdown = smarm::auto_shutdown::any_significant}, {s})
                   .value();
    end_child(sup, "s", failure());
    (void)sup.terminate_child("s");
    seen = states(sup);
  });
  CHECK_LIST(seen, {"s ended 1"});
}

// ---- back-off

BOOST_AUTO_TEST_CASE(waits_grow_up_to_the_maximum_and_are_spread) {
  const smarm::restart_backoff b{.initial = 100ms, .maximum = 1s, .factor = 2, .jitter = 0.5};
  BOOST_TEST(b.delay(0, 0.5) == 100ms);
  BOOST_TEST(b.delay(1, 0.5) == 200ms);
  BOOST_TEST(b.delay(3, 0.5) == 800ms);
  BOOST_TEST(b.delay(4, 0.5) == 1s);
  BOOST_TEST(b.delay(100'000, 0.5) == 1s);
  BOOST_TEST(b.delay(0, 0.0) == 50ms);
  BOOST_TEST(b.delay(4, 0.0) == 500ms);
  BOOST_TEST(!b.recovered(1999ms));
  BOOST_TEST(b.recovered(2s));
}

BOOST_AUTO_TEST_CASE(a_child_with_a_backoff_waits_before_it_is_started_anew) {
  nursery n;
  strings between;
  strings after;
  recorder reports;
  smarm::runtime(with_reports(reports)).run([&] {
    auto a = child(n, "a");
    a.backoff = {.initial = 1ms, .maximum = 1ms};
    auto sup = smarm::start_supervisor({}, {a, child(n, "b")}).value();
    end_child(sup, "a", failure());
    between = states(sup);
    while (sup.count_children()->active != 2) {
      smarm::this_actor::sleep_for(100us);
    }
    after = states(sup);
  });
  BOOST_TEST(after.front() == "a running 1");
  BOOST_TEST((between.front() == "a restarting 0" || between.front() == "a running 1"));
}
