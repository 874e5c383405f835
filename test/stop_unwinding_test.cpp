// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Stops that meet handlers, destructors and errors, and what holds them off.

#define BOOST_TEST_MODULE stop_unwinding
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "stopping.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <chrono>
#include <stdexcept>
#include <string>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::request_shutdown;
using smarm::request_stop;
namespace this_actor = smarm::this_actor;

BOOST_AUTO_TEST_SUITE(stop_unwinding_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(a_wait_in_the_handler_of_a_stop_raises_it_again) {
  int raised = 0;
  run_quietly(1, [&] {
    auto h = smarm::spawn([&] {
      try {
        stop_self();
        this_actor::yield();
      } catch (...) {
        raised += raises([] { this_actor::sleep_for(1h); });
        raised += raises([] { this_actor::yield(); });
        throw;
      }
    });
    (void)h.join();
  });
  BOOST_TEST(raised == 2);
}

BOOST_AUTO_TEST_CASE(a_wait_in_the_handler_of_an_error_is_a_stop_point) {
  recorder seen;
  run_quietly(2, [&] {
    auto h = smarm::spawn([&] {
      try {
        throw std::runtime_error("an error");
      } catch (const std::runtime_error&) {
        const noted_end unwound(seen, "unwound");
        this_actor::sleep_for(24h);
      }
    });
    until([&] { return parked(h.id()); });
    (void)request_stop(h.id());
    seen.note(to_string(h.join().kind()));
  });
  CHECK_LIST(seen.all(), {"unwound", "stopped"});
}

// ---- where it may not be raised

BOOST_AUTO_TEST_CASE(destructors_wait_to_the_end_while_a_stop_unwinds) {
  recorder seen;
  tokens gate;
  run_quietly(2, [&] {
    auto h = smarm::spawn([&] {
      const waits_at_the_end last{gate, seen};
      this_actor::sleep_for(24h);
    });
    until([&] { return parked(h.id()); });
    (void)request_stop(h.id());
    until([&] { return gate.awaited() && parked(h.id()); });
    for (int i = 0; i < 10; ++i) { // a second stop, while it waits where none may end the wait
      (void)request_stop(h.id());
      (void)request_shutdown(h.id());
    }
    seen.note("asked again");
    gate.give();
    seen.note(to_string(h.join().kind()));
  });
  CHECK_LIST(seen.all(), {"destructor begins", "asked again", "destructor ends", "stopped"});
}

BOOST_AUTO_TEST_CASE(destructors_wait_to_the_end_while_an_error_unwinds_and_a_stop_comes) {
  recorder seen;
  tokens gate;
  run_quietly(2, [&] {
    auto h = smarm::spawn([&] {
      try {
        const waits_at_the_end last{gate, seen};
        throw std::runtime_error("an error");
      } catch (const std::runtime_error&) {
        seen.note("caught");
      }
      this_actor::yield();
      seen.note("never");
    });
    until([&] { return gate.awaited() && parked(h.id()); });
    (void)request_stop(h.id());
    gate.give();
    seen.note(to_string(h.join().kind()));
  });
  CHECK_LIST(seen.all(), {"destructor begins", "destructor ends", "caught", "stopped"});
}

BOOST_AUTO_TEST_CASE(disable_stop_holds_it_off_and_the_next_stop_point_raises_it) {
  recorder seen;
  tokens gate;
  run_quietly(2, [&] {
    auto h = smarm::spawn([&] {
      {
        const smarm::disable_stop outer;
        {
          const smarm::disable_stop inner;
          gate.take();
          seen.note("waited");
        }
        this_actor::yield();
        this_actor::checkpoint();
        this_actor::sleep_for(1us);
        seen.note("still calm");
      }
      seen.note("no stop point yet");
      this_actor::checkpoint();
      seen.note("never");
    });
    until([&] { return parked(h.id()); });
    for (int i = 0; i < 5; ++i) {
      (void)request_stop(h.id());
    }
    gate.give();
    seen.note(to_string(h.join().kind()));
  });
  CHECK_LIST(seen.all(), {"waited", "still calm", "no stop point yet", "stopped"});
}

BOOST_AUTO_TEST_CASE(a_stop_that_came_before_disable_stop_waits_for_its_end_too) {
  recorder seen;
  run_quietly(1, [&] {
    auto h = smarm::spawn([&] {
      stop_self();
      {
        const smarm::disable_stop calm;
        this_actor::sleep_for(10us);
        seen.note("calm");
      }
      this_actor::sleep_for(24h);
      seen.note("never");
    });
    seen.note(to_string(h.join().kind()));
  });
  CHECK_LIST(seen.all(), {"calm", "stopped"});
}

BOOST_AUTO_TEST_CASE(no_preempt_holds_it_off_too) {
  recorder seen;
  run_quietly(1, [&] {
    auto h = smarm::spawn([&] {
      stop_self();
      {
        const smarm::no_preempt calm;
        this_actor::checkpoint();
        this_actor::yield();
        this_actor::sleep_for(10us);
        seen.note("calm");
      }
      this_actor::checkpoint();
      seen.note("never");
    });
    seen.note(to_string(h.join().kind()));
  });
  CHECK_LIST(seen.all(), {"calm", "stopped"});
}

BOOST_AUTO_TEST_SUITE_END()
