// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a shutdown whose time is up tells of those that have not ended: who they are, what they wait
// for, and what could be done about it.

#define BOOST_TEST_MODULE survivors
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/detail/survey.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <sstream>
#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using std::chrono::steady_clock;
namespace this_actor = smarm::this_actor;

namespace {

smarm::config quiet(unsigned schedulers) {
  return {.schedulers = schedulers, .reports = [](const smarm::report&) {}};
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const smarm::survivor* find(const std::vector<smarm::survivor>& in, smarm::pid who) {
  const auto at = std::find_if(in.begin(), in.end(), [&](const auto& s) { return s.actor == who; });
  return at == in.end() ? nullptr : &*at;
}

} // namespace

#define CHECK_SAYS(said, part) BOOST_TEST(says(said, part), "it said: " << (said))

BOOST_AUTO_TEST_SUITE(survivors_suite, *boost::unit_test::timeout(60))

BOOST_AUTO_TEST_CASE(one_that_never_comes_to_a_stop_point_is_named_with_its_age) {
  smarm::runtime rt(quiet(2));
  rt.start();
  std::atomic<bool> release{false};
  std::atomic<bool> running{false};
  auto h = rt.handle().spawn({.label = "number cruncher"}, [&] {
    running = true;
    spin_until([&] { return release.load(); });
  });
  wait_until([&] { return running.load(); });
  const auto begin = steady_clock::now();
  wait_until([&] { return steady_clock::now() - begin >= 5ms; });
  const auto left = rt.shutdown(0s);
  BOOST_REQUIRE(left.size() == 1u);
  const smarm::survivor& one = left[0];
  BOOST_TEST(one.actor == h.id());
  BOOST_TEST(one.label == "number cruncher");
  BOOST_TEST(one.waits_for == "nothing: it is running");
  BOOST_TEST((one.age >= 5ms));
  CHECK_SAYS(one.text, "has been running on scheduler ");
  CHECK_SAYS(one.text, "this_actor::checkpoint()");
  std::ostringstream line;
  line << one;
  std::ostringstream id;
  id << h.id();
  CHECK_SAYS(line.str(), "actor " + id.str() + " \"number cruncher\" has been running");
  release = true;
  BOOST_TEST(rt.shutdown(1h).empty());
  BOOST_TEST((h.join() == smarm::exit_kind::normal)); // asked, and never at a stop point
}

BOOST_AUTO_TEST_CASE(those_that_wait_where_no_stop_ends_it_are_named_with_what_they_wait_for) {
  smarm::runtime rt(quiet(2));
  rt.start();
  tokens message;
  tokens lock;
  tokens unwinding;
  tokens last;
  auto masked = rt.handle().spawn({.label = "masked"}, [&] {
    const smarm::disable_stop calm;
    message.take();
  });
  auto deaf = rt.handle().spawn([&] { lock.take_deaf(); });
  auto dying = rt.handle().spawn([&] {
    struct waits {
      tokens& gate;
      ~waits() { gate.take(); }
    };
    const waits end{unwinding};
    this_actor::sleep_for(24h);
  });
  auto sleeping = rt.handle().spawn([&] {
    const smarm::disable_stop calm;
    while (last.count() == 0) {
      this_actor::sleep_for(20ms);
    }
  });
  auto joining = rt.handle().spawn([&] {
    const smarm::disable_stop calm;
    (void)masked.join();
  });
  wait_until([&] { return message.awaited() && lock.awaited(); });
  std::vector<smarm::survivor> left;
  const auto is_waiting = [&](const smarm::join_handle& h) {
    const auto* s = find(left, h.id());
    return s != nullptr && !says(s->waits_for, "nothing");
  };
  do { // each look tells who has come to rest so far
    left = rt.shutdown(0s);
  } while (left.size() != 5 || !is_waiting(sleeping) || !is_waiting(joining) || !is_waiting(dying));

  const auto waits_for = [&](const smarm::join_handle& h) { return find(left, h.id())->waits_for; };
  BOOST_TEST(waits_for(masked) == "a message");
  BOOST_TEST(waits_for(deaf) == "a lock");
  BOOST_TEST(waits_for(dying) == "a message");
  BOOST_TEST(waits_for(sleeping) == "the end of a sleep");
  BOOST_TEST(waits_for(joining) == "the end of another actor");
  BOOST_TEST(find(left, masked.id())->label == "masked");
  for (const smarm::survivor& s : left) {
    CHECK_SAYS(s.text, "waits for " + s.waits_for);
    CHECK_SAYS(s.text, "may not be stopped there");
    CHECK_SAYS(s.text, "bytes of stack in use");
    BOOST_TEST(s.stack_used > 0u);
    BOOST_TEST(s.stack_used < 64u * 1024);
    BOOST_TEST((s.age == 0ns));
  }
  message.give();
  lock.give();
  unwinding.give();
  last.give();
  BOOST_TEST(rt.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(one_that_is_ready_but_gets_no_processor_is_named_as_ready) {
  smarm::runtime rt(quiet(1));
  rt.start();
  std::atomic<bool> release{false};
  std::atomic<bool> running{false};
  auto busy = rt.handle().spawn([&] {
    running = true;
    spin_until([&] { return release.load(); });
  });
  wait_until([&] { return running.load(); });
  auto ready = rt.handle().spawn([] {});
  const auto left = rt.shutdown(0s);
  BOOST_REQUIRE(left.size() == 2u);
  BOOST_TEST(find(left, busy.id())->waits_for == "nothing: it is running");
  BOOST_TEST(find(left, ready.id())->waits_for == "nothing: it is ready to run");
  release = true;
  BOOST_TEST(rt.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(who_ends_in_time_is_no_survivor) {
  smarm::runtime rt(quiet(2));
  rt.start();
  tokens ready;
  std::vector<smarm::join_handle> all;
  for (int i = 0; i < 50; ++i) {
    all.push_back(rt.handle().spawn({.label = "brief"}, [&] {
      ready.give();
      this_actor::sleep_for(24h);
    }));
  }
  for (int i = 0; i < 50; ++i) {
    ready.take();
  }
  BOOST_TEST(rt.shutdown(1h).empty());
  for (auto& h : all) {
    BOOST_TEST((h.join() == smarm::exit_kind::shutdown));
  }
}

BOOST_AUTO_TEST_CASE(a_look_at_actors_that_come_and_go_meanwhile_is_harmless) {
  smarm::runtime rt(quiet(3));
  rt.start();
  std::atomic<bool> over{false};
  auto busy = rt.handle().spawn([&] {
    const smarm::disable_stop calm;
    while (!over) {
      std::vector<smarm::join_handle> all;
      for (int i = 0; i < 20; ++i) {
        all.push_back(smarm::spawn({.label = "comes and goes", .stack_size = 32'768u * (1 + i % 2)},
                                   [] { this_actor::sleep_for(5us); }));
      }
      for (auto& h : all) {
        (void)h.join();
      }
    }
  });
  std::size_t seen = 0;
  for (int i = 0; i < 100; ++i) {
    for (const smarm::survivor& s : rt.shutdown(0s)) {
      seen += s.label == "comes and goes" || s.label.empty();
    }
  }
  BOOST_TEST(seen > 0u);
  over = true;
  BOOST_TEST(rt.shutdown(1h).empty());
}

// Theirs are unmapped at the end of each, where others go back to a pool.
BOOST_AUTO_TEST_CASE(actors_with_stacks_of_their_own_may_end_while_they_are_looked_at) {
  std::size_t odd = 0;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    std::atomic<bool> looking{true};
    auto spawner = smarm::spawn({.pinned_to = 1}, [&] {
      while (looking) {
        std::vector<smarm::join_handle> some;
        for (int i = 0; i < 20; ++i) {
          some.push_back(smarm::spawn({.stack_size = 32 * 1024, .pinned_to = 1},
                                      [] { this_actor::sleep_for(1us); }));
        }
        for (auto& h : some) {
          (void)h.join();
        }
      }
    });
    for (int i = 0; i < 3000; ++i) {
      for (const auto& one : smarm::detail::survey(this_runtime())) {
        odd += one.stack_used > 256 * 1024;
      }
    }
    looking = false;
    (void)spawner.join();
  });
  BOOST_TEST(odd == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
