// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// In which order a machine handles what it has told itself, what it has postponed, its timeouts and what
// comes from outside; and what ends a timeout.

#define BOOST_TEST_MODULE statem_order
#include <boost/test/unit_test.hpp>

#include "machine_rig.hpp"
#include "recorder.hpp"

#include <boost/describe/enum.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <utility>

using namespace smarm_test;
using namespace std::chrono_literals;

namespace {

BOOST_DEFINE_ENUM_CLASS(place, home, work, away)

// Says what it does, and does what its events say.
class walker : public smarm::gen_statem<walker, place> {
  using enum place;

public:
  using does = std::function<void(walker&)>;
  struct go_home {
    std::string name;
    does what = {};
  };
  struct go_to_work {
    std::string name;
    does what = {};
  };
  struct stay_there {
    std::string name;
    does what = {};
  };
  struct wait_for_work { // postponed everywhere else
    std::string name;
    does what = {};
  };
  struct come_again {
    std::string name;
    does what = {};
  };
  using events = smarm::events<go_home, go_to_work, stay_there, wait_for_work, come_again>;

  explicit walker(strings& trace) : trace_(trace) {}

  smarm::to<home> on(smarm::any_state, const go_home& e) {
    does_it(e);
    return home;
  }
  smarm::to<work> on(smarm::any_state, const go_to_work& e) {
    does_it(e);
    return work;
  }
  smarm::stay on(smarm::any_state, const stay_there& e) {
    does_it(e);
    return smarm::keep;
  }
  smarm::stay on(smarm::in<work>, const wait_for_work& e) {
    does_it(e);
    return smarm::keep;
  }
  smarm::one_of<smarm::keep, smarm::postpone> on(smarm::any_state, const wait_for_work& e) {
    trace_.push_back("postpone " + e.name);
    return smarm::postpone;
  }
  smarm::repeated on(smarm::any_state, const come_again& e) {
    does_it(e);
    return smarm::repeat;
  }

  void enter(smarm::any_state) {
    trace_.push_back(std::string("enter ") + (state() == home ? "home" : "work"));
    if (when_entered) {
      when_entered(*this);
    }
  }
  void exit(smarm::in<home>) { trace_.push_back("exit home"); }

  using gen_statem::cancel_event_timeout;
  using gen_statem::cancel_state_timeout;
  using gen_statem::cancel_timeout;
  using gen_statem::event_timeout;
  using gen_statem::next_event;
  using gen_statem::state_timeout;
  using gen_statem::timeout;
  using gen_statem::update_event_timeout;
  using gen_statem::update_state_timeout;
  using gen_statem::update_timeout;

  does when_entered;

private:
  template <class Event>
  void does_it(const Event& e) {
    trace_.push_back(e.name);
    if (e.what) {
      e.what(*this);
    }
  }
  strings& trace_;
};

using w = walker;

struct fixture {
  fixture() { seen.clear(); } // it has entered its first state
  template <class... Events>
  void send(Events... events) {
    (rig.send(std::move(events)), ...);
  }
  // Until nothing happens any more for so long.
  void run_for(std::chrono::nanoseconds time) { rig.run_until(machine_clock + time.count()); }

  strings seen;
  machine_rig<walker> rig{seen};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(statem_order, fixture)

BOOST_AUTO_TEST_CASE(what_is_told_comes_before_what_was_postponed_before_no_time_before_the_queue) {
  send(w::wait_for_work{"postponed 1"}, w::wait_for_work{"postponed 2"},
       w::go_to_work{"goes",
                     [](walker& m) {
                       m.state_timeout(0ns, w::stay_there{"state timeout 0"});
                       m.timeout("x", 0ns, w::stay_there{"named timeout 0"});
                       m.next_event(w::stay_there{"told 1"});
                       m.next_event(w::stay_there{"told 2"});
                     }},
       w::stay_there{"queued"});
  rig.run();
  CHECK_LIST(seen, {"postpone postponed 1", "postpone postponed 2", "goes", "exit home",
                    "enter work", "told 1", "told 2", "postponed 1", "postponed 2",
                    "state timeout 0", "named timeout 0", "queued"});
}

BOOST_AUTO_TEST_CASE(what_a_told_event_tells_comes_before_what_was_told_earlier) {
  send(w::stay_there{"first", [](walker& m) {
                       m.next_event(w::stay_there{"a", [](walker& inner) {
                                                    inner.next_event(w::stay_there{"a1"});
                                                    inner.next_event(w::stay_there{"a2"});
                                                  }});
                       m.next_event(w::stay_there{"b"});
                     }});
  rig.run();
  CHECK_LIST(seen, {"first", "a", "a1", "a2", "b"});
}

// As in OTP, where what is retried is put before what was there, and what is told now before that.
BOOST_AUTO_TEST_CASE(what_is_retried_comes_before_what_was_told_earlier) {
  send(w::wait_for_work{"postponed"}, w::stay_there{"first", [](walker& m) {
                                                      m.next_event(w::go_to_work{"goes"});
                                                      m.next_event(w::stay_there{"told earlier"});
                                                    }});
  rig.run();
  CHECK_LIST(seen, {"postpone postponed", "first", "goes", "exit home", "enter work", "postponed",
                    "told earlier"});
}

BOOST_AUTO_TEST_CASE(all_that_was_postponed_is_retried_in_its_order_at_each_change_of_state) {
  send(w::go_to_work{"there"}, w::go_home{"back"}, w::wait_for_work{"1"}, w::wait_for_work{"2"},
       w::wait_for_work{"3"});
  rig.run();
  seen.clear();
  // The first one goes home again: the others are postponed anew, and their order stays.
  send(w::go_to_work{"goes", [](walker& m) { m.next_event(w::go_home{"straight back"}); }});
  rig.run();
  CHECK_LIST(seen, {"goes", "exit home", "enter work", "straight back", "enter home", "postpone 1",
                    "postpone 2", "postpone 3"});
  seen.clear();
  send(w::wait_for_work{"4"}, w::go_to_work{"goes"});
  rig.run();
  CHECK_LIST(seen, {"postpone 4", "goes", "exit home", "enter work", "1", "2", "3", "4"});
}

BOOST_AUTO_TEST_CASE(nothing_is_retried_while_the_state_stays) {
  send(w::wait_for_work{"1"}, w::stay_there{"stays"}, w::go_home{"to where it is"},
       w::come_again{"repeats"});
  rig.run();
  CHECK_LIST(seen, {"postpone 1", "stays", "to where it is", "repeats", "exit home", "enter home"});
}

BOOST_AUTO_TEST_CASE(a_way_to_the_same_state_is_no_change_and_repeating_calls_exit_and_enter) {
  send(w::stay_there{"sets", [](walker& m) { m.state_timeout(5ns, w::stay_there{"timeout"}); }},
       w::go_home{"same"}, w::come_again{"repeats"});
  run_for(5ns);
  CHECK_LIST(seen, {"sets", "same", "repeats", "exit home", "enter home", "timeout"});
}

BOOST_AUTO_TEST_CASE(a_state_timeout_ends_with_the_state) {
  send(w::stay_there{"sets", [](walker& m) { m.state_timeout(5ns, w::stay_there{"timeout"}); }},
       w::go_to_work{"goes"});
  run_for(1h);
  CHECK_LIST(seen, {"sets", "goes", "exit home", "enter work"});
}

BOOST_AUTO_TEST_CASE(a_state_timeout_set_on_the_way_is_the_new_states) {
  send(w::go_to_work{"goes", [](walker& m) { m.state_timeout(5ns, w::go_home{"timeout"}); }});
  run_for(5ns);
  CHECK_LIST(seen, {"goes", "exit home", "enter work", "timeout", "enter home"});
  seen.clear();
  rig.machine().when_entered = [](walker& m) { m.state_timeout(3ns, w::stay_there{"entered"}); };
  send(w::go_to_work{"goes"});
  run_for(1h);
  CHECK_LIST(seen, {"goes", "exit home", "enter work", "entered"});
}

BOOST_AUTO_TEST_CASE(a_state_timeout_of_no_time_ends_by_a_change_that_comes_before_it) {
  rig.machine().when_entered = [](walker& m) {
    if (m.state() == place::work) {
      m.state_timeout(0ns, w::stay_there{"timeout"});
      m.next_event(w::go_home{"told"});
    }
  };
  send(w::go_to_work{"goes"}, w::stay_there{"queued"});
  run_for(1h);
  CHECK_LIST(seen, {"goes", "exit home", "enter work", "told", "enter home", "queued"});
}

BOOST_AUTO_TEST_CASE(any_event_ends_the_event_timeout_one_that_is_postponed_too) {
  const auto sets = [](walker& m) { m.event_timeout(5ns, w::stay_there{"silence"}); };
  send(w::stay_there{"sets", sets});
  run_for(4ns);
  send(w::wait_for_work{"1"});
  run_for(1h);
  CHECK_LIST(seen, {"sets", "postpone 1"});
  seen.clear();
  send(w::stay_there{"sets", sets});
  run_for(5ns);
  CHECK_LIST(seen, {"sets", "silence"});
  seen.clear();
  // A retried one is an event, too, and so is another timeout.
  send(w::go_to_work{"goes", sets});
  run_for(1h);
  CHECK_LIST(seen, {"goes", "exit home", "enter work", "1"});
  seen.clear();
  send(w::stay_there{"sets", [&](walker& m) {
                       sets(m);
                       m.timeout("x", 4ns, w::stay_there{"named"});
                     }});
  run_for(1h);
  CHECK_LIST(seen, {"sets", "named"});
}

BOOST_AUTO_TEST_CASE(an_event_timeout_that_is_due_waits_for_what_is_there) {
  send(w::stay_there{"sets", [](walker& m) { m.event_timeout(5ns, w::stay_there{"silence"}); }});
  rig.run();
  machine_clock += 10;
  send(w::stay_there{"queued"});
  run_for(1h);
  CHECK_LIST(seen, {"sets", "queued"});
}

BOOST_AUTO_TEST_CASE(an_event_timeout_of_no_time_comes_if_nothing_was_told) {
  const auto sets = [](walker& m) { m.event_timeout(0ns, w::stay_there{"silence"}); };
  send(w::stay_there{"sets", sets}, w::stay_there{"queued"});
  rig.run();
  CHECK_LIST(seen, {"sets", "silence", "queued"});
  seen.clear();
  send(w::stay_there{"sets", [&](walker& m) {
                       sets(m);
                       m.next_event(w::stay_there{"told"});
                     }});
  rig.run();
  CHECK_LIST(seen, {"sets", "told"});
}

BOOST_AUTO_TEST_CASE(nothing_comes_after_it_was_cancelled) {
  send(w::stay_there{"sets", [](walker& m) {
                       m.state_timeout(1ns, w::stay_there{"state"});
                       m.event_timeout(1ns, w::stay_there{"silence"});
                       m.timeout("x", 1ns, w::stay_there{"named"});
                     }});
  rig.step();          // and no more
  machine_clock += 10; // all are due
  bool cancelled[4] = {};
  rig.machine().next_event(w::stay_there{"cancels", [&](walker& m) {
                                           cancelled[0] = m.cancel_state_timeout();
                                           cancelled[1] = m.cancel_event_timeout();
                                           cancelled[2] = m.cancel_timeout("x");
                                           cancelled[3] = m.cancel_timeout("x");
                                         }});
  run_for(1h);
  CHECK_LIST(seen, {"sets", "cancels"});
  BOOST_TEST(cancelled[0]);
  BOOST_TEST(!cancelled[1]); // this event has ended it
  BOOST_TEST(cancelled[2]);
  BOOST_TEST(!cancelled[3]);
}

BOOST_AUTO_TEST_CASE(a_timeout_of_no_time_can_be_cancelled) {
  send(w::stay_there{
      "sets", [](walker& m) {
        m.timeout("x", 0ns, w::stay_there{"named"});
        m.next_event(w::stay_there{"cancels", [](walker& n) { n.cancel_timeout("x"); }});
      }});
  run_for(1h);
  CHECK_LIST(seen, {"sets", "cancels"});
}

BOOST_AUTO_TEST_CASE(one_that_is_set_again_is_replaced) {
  send(w::stay_there{"sets", [](walker& m) {
                       m.timeout("x", 5ns, w::stay_there{"x 5"});
                       m.timeout("y", 6ns, w::stay_there{"y 6"});
                       m.timeout("x", 7ns, w::stay_there{"x 7"});
                     }});
  run_for(1h);
  CHECK_LIST(seen, {"sets", "y 6", "x 7"});
}

BOOST_AUTO_TEST_CASE(an_update_brings_another_event_at_the_same_time) {
  send(w::stay_there{"sets",
                     [](walker& m) {
                       m.timeout("x", 5ns, w::stay_there{"x 5"});
                       m.timeout("y", 6ns, w::stay_there{"y 6"});
                       m.state_timeout(7ns, w::stay_there{"state 7"});
                     }},
       w::stay_there{"updates",
                     [](walker& m) {
                       m.update_timeout("y", w::stay_there{"y anew"});
                       m.update_state_timeout(w::stay_there{"state anew"});
                       m.update_timeout("z", w::stay_there{"z at once"});
                     }},
       w::stay_there{"queued"});
  run_for(1h);
  CHECK_LIST(seen, {"sets", "updates", "z at once", "queued", "x 5", "y anew", "state anew"});
}

BOOST_AUTO_TEST_CASE(named_timeouts_outlive_changes_of_the_state) {
  send(w::stay_there{"sets", [](walker& m) { m.timeout("x", 5ns, w::stay_there{"x"}); }},
       w::go_to_work{"goes"}, w::go_home{"back"});
  run_for(5ns);
  CHECK_LIST(seen, {"sets", "goes", "exit home", "enter work", "back", "enter home", "x"});
}

BOOST_AUTO_TEST_CASE(timeouts_come_by_time_and_then_in_the_order_of_setting) {
  send(w::stay_there{"sets", [](walker& m) {
                       m.timeout("b", 5ns, w::stay_there{"b"});
                       m.state_timeout(5ns, w::stay_there{"state"});
                       m.timeout("a", 5ns, w::stay_there{"a"});
                       m.timeout("c", 4ns, w::stay_there{"c"});
                     }});
  run_for(4ns);
  CHECK_LIST(seen, {"sets", "c"});
  run_for(1ns);
  CHECK_LIST(seen, {"sets", "c", "b", "state", "a"});
}

BOOST_AUTO_TEST_CASE(a_timeout_may_be_postponed) {
  send(w::stay_there{"sets", [](walker& m) { m.timeout("x", 5ns, w::wait_for_work{"x"}); }});
  run_for(10ns);
  CHECK_LIST(seen, {"sets", "postpone x"});
  seen.clear();
  send(w::go_to_work{"goes"});
  run_for(1h);
  CHECK_LIST(seen, {"goes", "exit home", "enter work", "x"});
}

BOOST_AUTO_TEST_CASE(a_timeout_of_a_huge_time_never_comes) {
  send(w::stay_there{"sets", [](walker& m) {
                       m.timeout("x", std::chrono::hours::max(), w::stay_there{"x"});
                       m.timeout("y", -5ns, w::stay_there{"y"});
                     }});
  run_for(1h);
  CHECK_LIST(seen, {"sets", "y"});
}

BOOST_AUTO_TEST_SUITE_END()
