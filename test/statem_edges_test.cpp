// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Where two rules of state machines meet: a change with an update or a retry in it, and what is counted then.

#define BOOST_TEST_MODULE statem_edges
#include <boost/test/unit_test.hpp>

#include "machine_rig.hpp"
#include "recorder.hpp"

#include <smarm/gen_statem.hpp>
#include <smarm/runtime.hpp>
#include <smarm/sys.hpp>
#include <smarm/this_actor.hpp>
#include <smarm/transition_graph.hpp>

#include <boost/describe/enum.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

using namespace smarm_test;
using namespace std::chrono_literals;

namespace {

BOOST_DEFINE_ENUM_CLASS(place, a, b, c)

// ---- an update by the row that changes the state: the old timeout ends first, and the update finds none

class updater : public smarm::gen_statem<updater, place> {
  using enum place;

public:
  enum class how { row, exit, twice_with_another_between, set_before, cancelled_after };
  struct go {
    how what = how::row;
  };
  struct late {
    std::string name;
  };
  using events = smarm::events<go, late>;
  explicit updater(strings& trace) : trace_(trace) {}
  void enter(smarm::in<a>) { state_timeout(10ns, late{"old"}); }
  void exit(smarm::in<a>) {
    if (in_exit_) {
      update_state_timeout(late{"of exit"});
    }
  }
  smarm::to<b> on(smarm::in<a>, go g) {
    switch (g.what) {
    case how::row: update_state_timeout(late{"new"}); break;
    case how::exit: in_exit_ = true; break;
    case how::twice_with_another_between:
      update_state_timeout(late{"first"});
      timeout("another", 0ns, late{"another"});
      update_state_timeout(late{"last"});
      break;
    case how::set_before:
      state_timeout(20ns, late{"first"});
      update_state_timeout(late{"last"});
      break;
    case how::cancelled_after:
      update_state_timeout(late{"new"});
      trace_.push_back(cancel_state_timeout() ? "cancelled" : "not set");
      break;
    }
    return {};
  }
  smarm::stay on(smarm::in<b, c>, go) { return {}; }
  smarm::stay on(smarm::any_state, late l) {
    trace_.push_back(l.name + " at " + std::to_string(machine_clock));
    return {};
  }

private:
  strings& trace_;
  bool in_exit_ = false;
};

strings trace_of_update(updater::how what) {
  machine_clock = 0;
  strings trace;
  machine_rig<updater> rig(trace);
  rig.send(updater::go{what});
  rig.run_until(100);
  return trace;
}

BOOST_AUTO_TEST_CASE(an_update_by_the_row_that_changes_the_state_comes_at_once_in_the_new_one) {
  BOOST_TEST(trace_of_update(updater::how::row) == (strings{"new at 0"}),
             boost::test_tools::per_element());
  BOOST_TEST(trace_of_update(updater::how::exit) == (strings{"of exit at 0"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(it_takes_its_turn_where_it_was_said_first) {
  BOOST_TEST(trace_of_update(updater::how::twice_with_another_between) ==
                 (strings{"last at 0", "another at 0"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_update_of_what_the_row_itself_has_set_leaves_its_time) {
  BOOST_TEST(trace_of_update(updater::how::set_before) == (strings{"last at 20"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_update_that_is_cancelled_does_not_come) {
  BOOST_TEST(trace_of_update(updater::how::cancelled_after) == (strings{"cancelled"}),
             boost::test_tools::per_element());
}

// ---- counted once

class counted : public smarm::gen_statem<counted, place> {
  using enum place;

public:
  struct go {};
  struct tell {};
  struct told {};
  using events = smarm::events<go, tell, told>;
  smarm::stay on(smarm::any_state, tell) {
    next_event(told{});
    return {};
  }
  smarm::postponed on(smarm::in<a>, told);
  smarm::stay on(smarm::any_state, told) { return {}; }
  smarm::to<b> on(smarm::any_state, go) { return {}; }
};

BOOST_AUTO_TEST_CASE(an_internal_event_that_is_postponed_counts_once) {
  std::uint64_t internal = 0;
  smarm::run([&] {
    auto m = smarm::start_server<counted>().value();
    (void)smarm::sys::statistics(m);
    (void)m.cast(counted::tell{});
    (void)m.cast(counted::go{});
    while (smarm::sys::state(m).value() != "b") {
      smarm::this_actor::yield();
    }
    internal = smarm::sys::statistics(m).value().handled.internal;
  });
  BOOST_TEST(internal == 1u);
}

// ---- a change and a retry by the same row

class dialler : public smarm::gen_statem<dialler, place> {
  using enum place;

public:
  struct send {
    int n;
    bool waits = false;
  };
  struct ask {
    using reply = int;
    std::unique_ptr<int> n;
  };
  struct hang_up {};
  using events = smarm::events<send, ask, hang_up>;
  explicit dialler(strings& trace) : trace_(trace) {}
  void enter(smarm::in<b>) { trace_.push_back("dials"); }

  smarm::one_of<smarm::postpone, smarm::postpone_to<b>, smarm::postpone_to<a>>
  on(smarm::in<a>, const send& s) {
    trace_.push_back((s.waits ? "keeps " : "postpones ") + std::to_string(s.n));
    if (s.n < 0) {
      return smarm::postpone_to<a>;
    }
    if (s.waits) {
      return smarm::postpone;
    }
    return smarm::postpone_to<b>;
  }
  smarm::stay on(smarm::any_state, send s) {
    trace_.push_back("sends " + std::to_string(s.n));
    return {};
  }
  smarm::postponed_to<b> on(smarm::in<a>, const ask& q, smarm::reply_to<int>&) {
    trace_.push_back("asked " + std::to_string(*q.n));
    return {};
  }
  smarm::stay on(smarm::any_state, ask q, smarm::reply_to<int> answer) {
    answer.reply(*q.n);
    return {};
  }
  smarm::to<a> on(smarm::any_state, hang_up) { return {}; }

private:
  strings& trace_;
};
static_assert(smarm::complete_machine<dialler>);

BOOST_AUTO_TEST_CASE(what_is_postponed_by_the_row_that_changes_the_state_is_retried_in_its_turn) {
  strings trace;
  machine_rig<dialler> rig(trace);
  rig.send(dialler::send{1, true});
  rig.send(dialler::send{2, true});
  rig.send(dialler::send{3});
  rig.send(dialler::send{4});
  rig.run();
  BOOST_TEST(trace == (strings{"keeps 1", "keeps 2", "postpones 3", "dials", "sends 1", "sends 2",
                               "sends 3", "sends 4"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_machine_that_has_kept_nothing_before_retries_it_too) {
  strings trace;
  smarm::run([&] {
    auto m = smarm::start_server<dialler>(std::ref(trace)).value();
    (void)m.cast(dialler::send{1});
    (void)m.call(dialler::ask{std::make_unique<int>(7)}); // after it
  });
  BOOST_TEST(trace == (strings{"postpones 1", "dials", "sends 1"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_follows_a_change_waits_for_the_next_one) {
  strings trace;
  machine_rig<dialler> rig(trace);
  rig.send(dialler::send{1});
  rig.send(dialler::hang_up{});
  rig.send(dialler::send{2, true});
  rig.run();
  BOOST_TEST(trace == (strings{"postpones 1", "dials", "sends 1", "keeps 2"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(to_the_state_that_it_is_in_is_no_change) {
  strings trace;
  machine_rig<dialler> rig(trace);
  rig.send(dialler::send{-1});
  rig.run();
  BOOST_TEST(trace == (strings{"postpones -1"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_call_is_answered_in_the_state_that_it_has_led_to) {
  int answer = 0;
  strings trace;
  smarm::run([&] {
    auto m = smarm::start_server<dialler>(std::ref(trace)).value();
    answer = m.call(dialler::ask{std::make_unique<int>(7)}).value();
  });
  BOOST_TEST(answer == 7);
  BOOST_TEST(trace == (strings{"asked 7", "dials"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_graph_shows_where_it_is_retried) {
  const std::string graph = smarm::transition_graph<dialler>();
  BOOST_TEST(graph.find("\"a\" -> \"b\" [label=\"send (postponed)\\nask (postponed)\", "
                        "style=dotted];") != std::string::npos,
             graph);
}

} // namespace
