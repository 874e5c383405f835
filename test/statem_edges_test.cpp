// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a review of state machines has found, and is to be decided: these fail.

#define BOOST_TEST_MODULE statem_review
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

// ---- an update by the row that changes the state

class updater : public smarm::gen_statem<updater, place> {
  using enum place;

public:
  struct go {};
  struct late {
    std::string name;
  };
  using events = smarm::events<go, late>;
  explicit updater(strings& trace) : trace_(trace) {}
  void enter(smarm::in<a>) { state_timeout(10ns, late{"old"}); }
  smarm::to<b> on(smarm::in<a>, go) {
    update_state_timeout(late{"new"});
    return {};
  }
  smarm::stay on(smarm::in<b, c>, go) { return {}; }
  smarm::stay on(smarm::any_state, late l) {
    trace_.push_back(l.name);
    return {};
  }

private:
  strings& trace_;
};

BOOST_AUTO_TEST_CASE(an_update_by_the_row_that_changes_the_state_is_the_new_states) {
  machine_clock = 0;
  strings trace;
  machine_rig<updater> rig(trace);
  rig.send(updater::go{});
  rig.run_until(100);
  BOOST_TEST(trace == (strings{"new"}), boost::test_tools::per_element());
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
