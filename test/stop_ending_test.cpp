// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What an ending by a stop is called, and waits that no stop may end.

#define BOOST_TEST_MODULE stop_ending
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "stopping.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <array>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::exit_kind;
using smarm::request_shutdown;
using smarm::request_stop;
namespace this_actor = smarm::this_actor;

BOOST_AUTO_TEST_SUITE(stop_ending_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(no_stop_is_raised_while_the_body_is_destroyed) {
  struct last_words {
    last_words() = default;
    last_words(last_words&&) noexcept {}
    ~last_words() {
      if (this_actor::is_actor()) {
        this_actor::checkpoint();
      }
    }
  };
  std::array<exit_kind, 2> how{};
  smarm::run([&] {
    auto small = smarm::spawn([words = last_words()] { (void)request_stop(this_actor::self()); });
    auto large = smarm::spawn([words = last_words(), ballast = std::array<char, 500>()] {
      (void)ballast;
      (void)request_stop(this_actor::self());
    });
    how = {small.join().kind(), large.join().kind()};
  });
  BOOST_TEST((how[0] == exit_kind::normal));
  BOOST_TEST((how[1] == exit_kind::normal));
}

BOOST_AUTO_TEST_CASE(a_stop_that_was_raised_in_another_actor_is_a_failure_here) {
  std::exception_ptr kept;
  std::array<exit_kind, 2> how{};
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
  rt.run([&] {
    auto first = smarm::spawn([&] {
      try {
        this_actor::sleep_for(24h);
      } catch (...) {
        kept = std::current_exception();
        throw;
      }
    });
    (void)request_stop(first.id());
    how[0] = first.join().kind();
    how[1] = smarm::spawn([&] { std::rethrow_exception(kept); }).join().kind();
  });
  BOOST_TEST((how[0] == exit_kind::stopped));
  BOOST_TEST((how[1] == exit_kind::failed));
}

// Something whose wake comes between the registration and the park.
struct hasty_source {
  bool came = false;
  smarm::detail::enrolment enroll(const smarm::detail::registration& r) noexcept {
    came = true;
    smarm::detail::wake(r);
    return smarm::detail::enrolment::enrolled;
  }
  bool satisfied() noexcept { return came; }
  bool withdraw() noexcept { return true; }
};

BOOST_AUTO_TEST_CASE(a_wake_that_comes_before_the_park_ends_a_wait_that_no_stop_may_end) {
  int waits = 0;
  smarm::run([&] {
    for (; waits < 10; ++waits) {
      hasty_source source;
      (void)smarm::detail::wait_for_source<false, smarm::detail::stoppable::no>(
        source, smarm::detail::wait_kind::lock);
    }
  });
  BOOST_TEST(waits == 10);
}

BOOST_AUTO_TEST_CASE(a_wait_that_is_no_stop_point_is_not_ended_by_a_stop) {
  recorder seen;
  tokens gate;
  run_quietly(2, [&] {
    auto h = smarm::spawn([&] {
      stop_self();
      gate.take_deaf();
      seen.note("has its token");
      this_actor::yield();
      seen.note("never");
    });
    until([&] { return gate.awaited() && parked(h.id()); });
    (void)request_stop(h.id());
    gate.give();
    seen.note(to_string(h.join().kind()));
  });
  CHECK_LIST(seen.all(), {"has its token", "stopped"});
}

// ---- what the ending is called

BOOST_AUTO_TEST_CASE(a_stop_dominates_a_shutdown_whichever_came_first) {
  std::vector<exit_kind> how;
  run_quietly(1, [&] {
    const auto ask = [&](auto... requests) {
      auto h = smarm::spawn([] { this_actor::sleep_for(24h); });
      this_actor::yield();
      (requests(h.id()), ...);
      how.push_back(h.join().kind());
    };
    ask(&request_stop);
    ask(&request_shutdown);
    ask(&request_stop, &request_shutdown);
    ask(&request_shutdown, &request_stop);
    ask(&request_shutdown, &request_shutdown);
  });
  CHECK_LIST(how, {exit_kind::stopped, exit_kind::shutdown, exit_kind::stopped, exit_kind::stopped,
                   exit_kind::shutdown});
}

BOOST_AUTO_TEST_CASE(a_stop_while_a_shutdown_unwinds_still_dominates) {
  exit_kind how{};
  recorder seen;
  tokens gate;
  run_quietly(2, [&] {
    auto h = smarm::spawn([&] {
      const waits_at_the_end last{gate, seen};
      this_actor::sleep_for(24h);
    });
    until([&] { return parked(h.id()); });
    (void)request_shutdown(h.id());
    until([&] { return gate.awaited() && parked(h.id()); });
    (void)request_stop(h.id());
    gate.give();
    how = h.join().kind();
  });
  BOOST_TEST(how == exit_kind::stopped);
}

BOOST_AUTO_TEST_CASE(an_error_after_a_swallowed_stop_is_a_failure) {
  exit_kind how{};
  run_quietly(1, [&] {
    how = smarm::spawn([] {
      stop_self();
      (void)raises([] { this_actor::yield(); });
      throw std::runtime_error("and then this");
    }).join().kind();
  });
  BOOST_TEST(how == exit_kind::failed);
}

BOOST_AUTO_TEST_SUITE_END()
