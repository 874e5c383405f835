// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Data of states from the constructor to the end, the nearest enter, and a guard before a row that
// postpones.

#define BOOST_TEST_MODULE statem_data
#include <boost/test/unit_test.hpp>

#include "machine_rig.hpp"
#include "recorder.hpp"

#include <smarm/gen_statem.hpp>
#include <smarm/runtime.hpp>

#include <boost/describe/enum.hpp>

#include <chrono>
#include <string>
#include <utility>

using namespace smarm_test;
using namespace std::chrono_literals;

namespace {

BOOST_DEFINE_ENUM_CLASS(place, a, b, c)

// ---- the nearest enter

class greeter : public smarm::gen_statem<greeter, place> {
  using enum place;

public:
  struct go {};
  using events = smarm::events<go>;
  explicit greeter(strings& trace) : trace_(trace) {}
  smarm::to<b> on(smarm::in<a>, go) { return {}; }
  smarm::to<a> on(smarm::in<b, c>, go) { return {}; }
  void enter(smarm::in<a>, place) { trace_.push_back("a alone"); }
  void enter(smarm::in<a, b>) { trace_.push_back("several"); }

private:
  strings& trace_;
};

BOOST_AUTO_TEST_CASE(the_nearest_enter_counts_whether_it_asks_for_the_other_state_or_not) {
  strings trace;
  machine_rig<greeter> rig(trace);
  BOOST_TEST(trace == (strings{"a alone"}), boost::test_tools::per_element());
}

// ---- data of a state and members

struct member {
  explicit member(strings& to) : trace(to) {}
  ~member() { trace.push_back("member"); }
  strings& trace;
};
struct of_a {
  strings* trace = nullptr;
  ~of_a() {
    if (trace != nullptr) {
      trace->push_back("data");
    }
  }
};
class owner : public smarm::gen_statem<owner, place> {
  using enum place;

public:
  struct go {};
  using events = smarm::events<go>;
  using state_data = smarm::state_data<smarm::data_in<a, of_a>>;
  explicit owner(strings& trace) : member_(trace) {}
  smarm::stay on(smarm::any_state, go) { return {}; }
  void enter(smarm::in<a> here) { data(here).trace = &member_.trace; }

private:
  member member_;
};

BOOST_AUTO_TEST_CASE(the_data_of_a_state_go_before_the_members_that_they_may_refer_to) {
  strings trace;
  { machine_rig<owner> rig(trace); }
  BOOST_TEST(trace == (strings{"data", "member"}), boost::test_tools::per_element());
}

// ---- data prepared by init

struct number {
  int value = 0;
};
class preparer : public smarm::gen_statem<preparer, place> {
  using enum place;

public:
  struct go {};
  using events = smarm::events<go>;
  using state_data = smarm::state_data<smarm::data_in<b, number>>;
  explicit preparer(strings& trace) : trace_(trace) {}
  void init() { prepare(in_b()).value = 7; }
  smarm::to<b> on(smarm::in<a>, go) { return {}; }
  smarm::stay on(smarm::in<b, c>, go) { return {}; }
  void enter(smarm::in<b> here) { trace_.push_back(std::to_string(data(here).value)); }

private:
  using in_b = smarm::in<b>;
  strings& trace_;
};

BOOST_AUTO_TEST_CASE(what_init_prepares_is_not_left_to_the_first_row) {
  strings trace;
  machine_rig<preparer> rig(trace);
  rig.send(preparer::go{});
  rig.run();
  BOOST_TEST(trace == (strings{"0"}), boost::test_tools::per_element());
}

// ---- a guard, and a row for any state that postpones

class guarded : public smarm::gen_statem<guarded, place> {
  using enum place;

public:
  struct ask {
    using reply = int;
  };
  struct go {};
  using events = smarm::events<ask, go>;
  smarm::one_of<smarm::keep, smarm::next_row> on(smarm::in<a>, const ask&, smarm::reply_to<int>&) {
    return smarm::next_row;
  }
  smarm::stay on(smarm::in<b, c>, ask, smarm::reply_to<int> r) {
    r.reply(1);
    return {};
  }
  smarm::one_of<smarm::keep, smarm::postpone> on(smarm::any_state, const ask&, smarm::reply_to<int>&) {
    return smarm::postpone;
  }
  smarm::to<b> on(smarm::any_state, go) { return {}; }
};

BOOST_AUTO_TEST_CASE(a_guards_wider_row_postpones_a_call) {
  int got = 0;
  std::string error;
  smarm::run([&] {
    auto m = smarm::start_server<guarded>().value();
    auto asked = m.send_request(guarded::ask{}).value();
    (void)m.cast(guarded::go{});
    const auto answer = asked.recv();
    got = answer ? *answer : 0;
    error = answer ? "" : answer.error().message();
  });
  BOOST_TEST(got == 1);
  BOOST_TEST(error == "");
}

// ---- what is refused before it exists

class early : public smarm::gen_statem<early, place> {
  using enum place;

public:
  struct go {};
  using events = smarm::events<go>;
  using state_data = smarm::state_data<smarm::data_in<a, number>>;
  early() { data(smarm::in<a>()).value = 1; }
  smarm::stay on(smarm::any_state, go) { return {}; }
};

BOOST_AUTO_TEST_CASE(a_constructor_that_asks_for_data_of_a_state_fails_as_one_that_throws) {
  bool failed = false;
  smarm::run([&] { failed = !smarm::start_server<early>().has_value(); });
  BOOST_TEST(failed);
}

} // namespace
