// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How a select ends without an arm: deadlines, stops and misuse; and on plain threads.

#define BOOST_TEST_MODULE select_wait
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"
#include "selecting.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/select.hpp>
#include <smarm/selector.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <boost/system/system_error.hpp>

#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::channel;
using smarm::errc;

BOOST_AUTO_TEST_SUITE(select_wait_suite, *boost::unit_test::timeout(120))

// ---- deadlines

BOOST_AUTO_TEST_CASE(a_deadline_ends_the_wait_and_loses_nothing) {
  std::vector<std::string> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    const auto begin = std::chrono::steady_clock::now();
    got.push_back(yes_no(error_of(smarm::select_for(3ms, a, b)) == errc::timed_out));
    got.push_back(yes_no(std::chrono::steady_clock::now() - begin >= 3ms));
    got.push_back(yes_no(error_of(smarm::select_for(0ms, a, b)) == errc::timed_out));
    got.push_back(yes_no(error_of(smarm::select_until(begin, a, b)) == errc::timed_out));
    (void)to_b.send(9);
    got.push_back(yes_no(smarm::select_for(0ms, a, b) == 1u));
    got.push_back(yes_no(smarm::select_until(begin, a, b) == 1u));
    got.push_back(yes_no(b.try_recv() == 9));
  });
  BOOST_TEST((got == std::vector<std::string>(7, "yes")));
}

BOOST_AUTO_TEST_CASE(a_ready_arm_is_returned_without_arming_a_timer) {
  std::vector<std::size_t> got;
  smarm::runtime rt({.schedulers = 1});
  rt.run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    (void)to_b.send(5);
    got.push_back(smarm::select_for(1h, a, b).value());
    got.push_back(rt.stats().armed_timers);
    (void)b.try_recv();
    to_a = {};
    got.push_back(smarm::select_for(1h, a, b).value());
    got.push_back(rt.stats().armed_timers);
  });
  CHECK_LIST(got, {1, 0, 0, 0});
}

// It was registered with one arm when it found the next one ready: the wait that was begun is over,
// and a wake that still comes of it ends no other.
BOOST_AUTO_TEST_CASE(a_select_that_did_not_park_leaves_no_wait_behind) {
  std::vector<std::string> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    const auto me = smarm::this_actor::self();
    tokens sleeps;
    (void)to_b.send(2);
    got.push_back(std::to_string(smarm::select(a, b)));
    auto sending = smarm::spawn([&, &to = to_a] {
      until([&] { return sleeps.awaited(); });
      (void)to.send(1);
      smarm::this_actor::yield();
      got.push_back(parked(me) ? "still waits" : "was woken");
      sleeps.give();
    });
    sleeps.take();
    (void)sending.join();
  });
  CHECK_LIST(got, {"1", "still waits"});
}

// ---- stops

BOOST_AUTO_TEST_CASE(a_stop_ends_each_kind_of_select) {
  std::vector<std::string> got;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    smarm::selector both(a, b);
    const auto stopped = [&](auto body) {
      auto child = smarm::spawn(body);
      until([&] { return parked(child.id()); });
      smarm::request_stop(child.id());
      got.push_back(to_string(child.join().kind()));
    };
    stopped([&] { (void)smarm::select(a, b); });
    stopped([&] { (void)smarm::select_for(1h, a, b); });
    stopped([&] { (void)smarm::select_fair(a, b); });
    stopped([&] { (void)both.wait(); });
    // A pending one is raised even though an arm is ready, but not by a select that cannot wait.
    (void)to_a.send(1);
    auto ready = smarm::spawn([&] {
      smarm::request_stop(smarm::this_actor::self());
      got.push_back(std::to_string(smarm::try_select(a, b).value()));
      (void)smarm::select(a, b);
      got.push_back("went on");
    });
    (void)ready.join();
    got.push_back(std::to_string(a.try_recv().value()));
  });
  CHECK_LIST(got, {"stopped", "stopped", "stopped", "stopped", "0", "1"});
}

BOOST_AUTO_TEST_CASE(a_masked_stop_does_not_end_a_select) {
  std::vector<std::string> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    auto child = smarm::spawn([&] {
      const smarm::disable_stop masked;
      got.push_back(std::to_string(smarm::select(a, b)));
    });
    until([&] { return parked(child.id()); });
    smarm::request_stop(child.id());
    smarm::this_actor::yield();
    got.push_back("asked");
    (void)to_b.send(1);
    (void)child.join();
  });
  CHECK_LIST(got, {"asked", "1"});
}

// ---- misuse

BOOST_AUTO_TEST_CASE(a_receiver_that_is_named_twice_is_refused_by_its_places) {
  std::vector<std::string> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    got.push_back(refusal([&] { (void)smarm::select(a, b, a); }, errc::already_waiting));
    got.push_back(refusal([&] { (void)smarm::select_for(1h, b, b); }, errc::already_waiting));
    smarm::selector s(a);
    got.push_back(refusal([&] { (void)s.add(a); }, errc::already_waiting));
    // Nothing was left behind, and what is there can be selected.
    (void)to_a.send(1);
    got.push_back(std::to_string(smarm::select(a, b)));
    for (const auto policy : {smarm::overflow::block, smarm::overflow::drop_oldest}) {
      auto [to_c, c] = channel<int>({.capacity = 1, .when_full = policy});
      got.push_back(refusal([&] { (void)smarm::select_for(1ms, c, c); }, errc::already_waiting));
    }
  });
  BOOST_REQUIRE(got.size() == 6u);
  BOOST_TEST(contains(got[4], "arms 0 and 1 are the same"), got[4]);
  BOOST_TEST(contains(got[5], "arms 0 and 1 are the same"), got[5]);
  BOOST_TEST(contains(got[0], "arms 0 and 2 are the same"), got[0]);
  BOOST_TEST(contains(got[1], "arms 0 and 1 are the same"), got[1]);
  BOOST_TEST(contains(got[2], "that arm has index 0"), got[2]);
  BOOST_TEST(got[3] == "0");
}

BOOST_AUTO_TEST_CASE(an_arm_that_another_actor_waits_for_is_refused) {
  for (const int kind : {0, 1, 2}) {
    std::string got;
    smarm::run([&] {
      auto [to_a, a] = channel<int>();
      auto [to_b, b] = kind == 0
                           ? channel<int>()
                           : channel<int>({.capacity = 1,
                                           .when_full = kind == 1 ? smarm::overflow::block
                                                                  : smarm::overflow::drop_oldest});
      auto other = smarm::spawn([&b = b] { (void)b.recv(); });
      until([&] { return parked(other.id()); });
      got = refusal([&a = a, &b = b] { (void)smarm::select(a, b); }, errc::already_waiting);
      (void)to_b.send(1);
      (void)other.join();
    });
    BOOST_TEST(contains(got, "somebody else waits"), got);
  }
}

BOOST_AUTO_TEST_CASE(in_scheduler_context_only_what_does_not_wait_works) {
  std::vector<std::string> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    smarm::this_actor::run_on_thread_stack([&] {
      got.push_back(yes_no(error_of(smarm::try_select(a, b)) == errc::empty));
      got.push_back(yes_no(error_of(smarm::select_for(1h, a, b)) == errc::would_block_scheduler));
      got.push_back(yes_no(
          refusal([&] { (void)smarm::select(a, b); }, errc::would_block_scheduler) != "returned"));
      (void)to_b.send(1);
      got.push_back(yes_no(smarm::select(a, b) == 1));
    });
  });
  BOOST_TEST((got == std::vector<std::string>(4, "yes")));
}

// ---- plain threads

BOOST_AUTO_TEST_CASE(plain_threads_select_too) {
  std::vector<std::size_t> got;
  auto [to_a, a] = channel<int>();
  auto [to_b, b] = channel<int>();
  got.push_back(error_of(smarm::select_for(1ms, a, b)) == errc::timed_out);
  std::thread sending([&, to_b = std::move(to_b)] { (void)to_b.send(1); });
  got.push_back(smarm::select(a, b));
  sending.join();
  got.push_back(static_cast<std::size_t>(*b.try_recv()));
  std::thread closing([last = std::move(to_a)]() mutable { last = {}; });
  got.push_back(smarm::select(a));
  closing.join();
  CHECK_LIST(got, {1, 1, 1, 0});
}

BOOST_AUTO_TEST_SUITE_END()
