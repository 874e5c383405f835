// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Select: which arm wins, what a select leaves behind on every exit, and who may call it.

#define BOOST_TEST_MODULE select
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/select.hpp>
#include <smarm/selector.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <boost/system/system_error.hpp>

#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::channel;
using smarm::errc;

BOOST_AUTO_TEST_SUITE(select_suite, *boost::unit_test::timeout(120))

// ---- which arm

BOOST_AUTO_TEST_CASE(a_ready_arm_is_returned_at_once_and_nothing_is_taken) {
  std::vector<std::size_t> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<std::string>();
    (void)to_b.send("x");
    const auto before = this_runtime().coordination.counters(0).parks.count();
    got.push_back(smarm::select(a, b));
    got.push_back(smarm::select(a, b));
    got.push_back(smarm::select(b));
    got.push_back(this_runtime().coordination.counters(0).parks.count() - before);
    got.push_back(b.try_recv().value().size());
    got.push_back(error_of(smarm::try_select(a, b)) == errc::empty);
  });
  CHECK_LIST(got, {1, 1, 0, 0, 1, 1});
}

BOOST_AUTO_TEST_CASE(the_lowest_index_wins_at_once_and_after_a_wait) {
  std::vector<std::size_t> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    (void)to_a.send(1);
    (void)to_b.send(2);
    got.push_back(smarm::select(a, b));
    got.push_back(smarm::select(b, a));
    (void)a.try_recv();
    (void)b.try_recv();
    auto sending = smarm::spawn([to_a = to_a, to_b = to_b] {
      (void)to_b.send(4); // wakes, but when the select runs again the other is ready, too
      (void)to_a.send(3);
    });
    got.push_back(smarm::select(a, b));
    got.push_back(static_cast<std::size_t>(*a.try_recv()));
    got.push_back(static_cast<std::size_t>(*b.try_recv()));
    (void)sending.join();
  });
  CHECK_LIST(got, {0, 0, 0, 3, 4});
}

BOOST_AUTO_TEST_CASE(a_select_waits_until_any_arm_is_ready) {
  std::vector<std::size_t> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>(smarm::bounded{.capacity = 2});
    auto [to_c, c] = channel<std::unique_ptr<int>>();
    for (std::size_t turn = 0; turn < 30; ++turn) {
      auto sending = smarm::spawn([&, turn, waiting = smarm::this_actor::self()] {
        until([&] { return parked(waiting); });
        switch (turn % 3) {
        case 0: (void)to_a.send(1); break;
        case 1: (void)to_b.send(1); break;
        default: (void)to_c.send(std::make_unique<int>(1)); break;
        }
      });
      const std::size_t which = smarm::select(a, b, c);
      if (which != turn % 3) {
        got.push_back(turn);
      }
      const bool taken = which == 0   ? a.try_recv().has_value()
                         : which == 1 ? b.try_recv().has_value()
                                      : c.try_recv().has_value();
      got.insert(got.end(), taken ? 0 : 1, turn);
      (void)sending.join();
    }
  });
  BOOST_TEST(got.empty());
}

BOOST_AUTO_TEST_CASE(a_closed_arm_is_ready_and_stays_so) {
  std::vector<std::size_t> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto b = channel<int>().second;
    smarm::receiver<int> moved_from;
    got.push_back(smarm::select(a, b));
    got.push_back(smarm::select(a, b));
    got.push_back(smarm::select_for(1h, a, b).value());
    got.push_back(error_of(b.try_recv()) == errc::closed);
    got.push_back(smarm::select(a, moved_from));
    got.push_back(smarm::try_select(moved_from, b).value());
  });
  CHECK_LIST(got, {1, 1, 1, 1, 1, 0});
}

BOOST_AUTO_TEST_CASE(a_channel_that_closes_wakes_the_select) {
  std::vector<std::size_t> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    auto [to_c, c] = channel<int>(smarm::bounded{.capacity = 1});
    const auto closing = [&](auto last) {
      return smarm::spawn([last = std::move(last), waiting = smarm::this_actor::self()]() mutable {
        until([&] { return parked(waiting); });
        last = {};
      });
    };
    auto one = closing(std::move(to_b));
    got.push_back(smarm::select(a, b, c));
    (void)one.join();
    auto two = closing(std::move(to_c));
    got.push_back(smarm::select(a, c));
    (void)two.join();
  });
  CHECK_LIST(got, {1, 1});
}

BOOST_AUTO_TEST_CASE(a_receive_that_follows_takes_what_was_selected_and_others_stay) {
  std::vector<int> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    (void)to_a.send(1);
    got.push_back(static_cast<int>(smarm::select(a, b)));
    got.push_back(*a.try_recv());
    auto sending = smarm::spawn([&] { (void)to_b.send(2); });
    got.push_back(*b.recv()); // plainly, of an arm that lost
    (void)sending.join();
  });
  CHECK_LIST(got, {0, 1, 2});
}

// ---- what is left behind

// A waker that was registered with must not end a later wait, nor be lost.
BOOST_AUTO_TEST_CASE(a_loser_that_wakes_late_does_not_end_the_next_wait) {
  std::vector<std::string> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    const auto me = smarm::this_actor::self();
    tokens sleeps;
    auto sending = smarm::spawn([&] {
      until([&] { return parked(me); });
      (void)to_a.send(1); // wins
      (void)to_b.send(2); // was registered with in the same select
      until([&] { return sleeps.awaited(); });
      (void)to_b.send(3);
      smarm::this_actor::yield();
      got.push_back(parked(me) ? "still waits" : "was woken");
      sleeps.give();
    });
    got.push_back(std::to_string(smarm::select(a, b)));
    sleeps.take();
    got.push_back(std::to_string(*a.try_recv()));
    got.push_back(std::to_string(smarm::select(a, b)));
    got.push_back(std::to_string(*b.try_recv()));
    got.push_back(std::to_string(*b.try_recv()));
    (void)sending.join();
  });
  CHECK_LIST(got, {"0", "still waits", "1", "1", "2", "3"});
}

BOOST_AUTO_TEST_CASE(no_registration_is_left_by_any_exit) {
  std::vector<std::string> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    auto [to_c, c] = channel<int>(smarm::bounded{.capacity = 1});
    // A message that comes now must wake nobody: it would count as a wake of the sender's scheduler.
    const auto registered = [&] {
      using smarm::detail::channel_access;
      const bool left = channel_access::core(a)->inbox.cancel_wait() ||
                        channel_access::core(b)->inbox.cancel_wait() ||
                        channel_access::core(c)->bound->cancel_wait();
      return left ? "left one" : "left none";
    };
    const auto sent = [&] {
      return smarm::spawn([&, me = smarm::this_actor::self()] {
        until([&] { return parked(me); });
        (void)to_b.send(1);
      });
    };
    auto wins = sent();
    (void)smarm::select(a, b, c);
    got.push_back(registered());
    (void)wins.join();
    (void)b.try_recv();

    (void)smarm::select_for(1ns, a, b, c);
    got.push_back(registered());

    auto stopped = smarm::spawn([&] { (void)smarm::select(a, b, c); });
    until([&] { return parked(stopped.id()); });
    smarm::request_stop(stopped.id());
    got.push_back(to_string(stopped.join().kind()));
    got.push_back(registered());

    (void)to_c.send(1);
    got.push_back(std::to_string(smarm::select(a, b, c)));
    got.push_back(registered());
  });
  CHECK_LIST(got, {"left none", "left none", "stopped", "left none", "2", "left none"});
}

BOOST_AUTO_TEST_CASE(two_producers_are_drained_completely) {
  constexpr int each = 200;
  for (const unsigned schedulers : {1u, 4u}) {
    int sum = 0;
    int count = 0;
    smarm::runtime rt({.schedulers = schedulers});
    rt.run([&] {
      auto [to_a, a] = channel<int>();
      auto [to_b, b] = channel<int>(smarm::bounded{.capacity = 3});
      const auto produce = [](auto to, int pause) {
        return smarm::spawn([to = std::move(to), pause] {
          for (int i = 0; i < each; ++i) {
            (void)to.send(i);
            if (i % pause == 0) {
              smarm::this_actor::yield();
            }
          }
        });
      };
      auto one = produce(std::move(to_a), 7);
      auto two = produce(std::move(to_b), 5);
      bool a_open = true;
      bool b_open = true;
      while (a_open || b_open) {
        const std::size_t which = a_open && b_open ? smarm::select(a, b) : a_open ? 0 : 1;
        auto got = which == 0 ? a.recv() : b.recv();
        if (got) {
          sum += *got;
          ++count;
        } else {
          (which == 0 ? a_open : b_open) = false;
        }
      }
      (void)one.join();
      (void)two.join();
    });
    BOOST_TEST(count == 2 * each);
    BOOST_TEST(sum == each * (each - 1));
  }
}

BOOST_AUTO_TEST_SUITE_END()
