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

#include <boost/describe/enum.hpp>

#include <chrono>
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

} // namespace
