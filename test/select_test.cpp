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
using smarm::exit_kind;

namespace {

// What a select that throws says, or "returned".
template <class Call>
std::string refusal(Call call, errc expected) {
  try {
    call();
  } catch (const boost::system::system_error& e) {
    return e.code() == expected ? e.what() : "wrong code: " + e.code().message();
  }
  return "returned";
}

std::string yes_no(bool yes) { return yes ? "yes" : "no"; }

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

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
      auto [to_b, b] =
        kind == 0 ? channel<int>()
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
      got.push_back(
        yes_no(error_of(smarm::select_for(1h, a, b)) == errc::would_block_scheduler));
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

// ---- fairness, and selectors

BOOST_AUTO_TEST_CASE(a_fair_select_takes_ready_arms_in_turn) {
  std::vector<std::size_t> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    auto [to_c, c] = channel<int>();
    (void)to_a.send(1);
    (void)to_b.send(1);
    (void)to_c.send(1);
    smarm::selector fair(smarm::selector::order::fair);
    fair.add(a);
    fair.add(b);
    for (int i = 0; i < 4; ++i) {
      got.push_back(fair.wait());
    }
    std::vector<std::size_t> often(3);
    for (int i = 0; i < 300; ++i) {
      ++often[smarm::select_fair(a, b, c)];
    }
    for (const std::size_t times : often) {
      got.push_back(times >= 95 && times <= 105);
    }
  });
  CHECK_LIST(got, {0, 1, 0, 1, 1, 1, 1});
}

// The turns of one must not be what moves the other on.
BOOST_AUTO_TEST_CASE(fair_selects_that_alternate_starve_no_arm) {
  std::vector<std::size_t> often(8);
  smarm::run([&] {
    std::vector<std::pair<smarm::sender<int>, smarm::receiver<int>>> all;
    for (int i = 0; i < 4; ++i) {
      all.push_back(channel<int>());
      (void)all.back().first.send(1);
    }
    auto& a = all[0].second;
    auto& b = all[1].second;
    auto& c = all[2].second;
    auto& d = all[3].second;
    smarm::selector first(smarm::selector::order::fair);
    smarm::selector second(smarm::selector::order::fair);
    first.add(a);
    first.add(b);
    second.add(c);
    second.add(d);
    for (int i = 0; i < 1000; ++i) {
      ++often[smarm::select_fair(a, b)];
      ++often[2 + smarm::select_fair(c, d)];
      ++often[4 + first.wait()];
      ++often[6 + second.wait()];
    }
  });
  for (const std::size_t times : often) {
    BOOST_TEST(times > 400u);
  }
}

BOOST_AUTO_TEST_CASE(a_fair_selector_shares_alike_between_neighbours_behind_idle_arms) {
  std::vector<std::size_t> often(5);
  smarm::run([&] {
    std::vector<std::pair<smarm::sender<int>, smarm::receiver<int>>> all;
    smarm::selector fair(smarm::selector::order::fair);
    all.reserve(5);
    for (int i = 0; i < 5; ++i) {
      all.push_back(channel<int>());
      fair.add(all.back().second);
    }
    (void)all[3].first.send(1);
    (void)all[4].first.send(1);
    for (int i = 0; i < 100; ++i) {
      ++often[fair.wait()];
    }
  });
  CHECK_LIST(often, {0, 0, 0, 50, 50});
}

BOOST_AUTO_TEST_CASE(arms_of_a_selector_come_and_go_and_keep_their_index) {
  std::vector<std::size_t> got;
  smarm::run([&] {
    auto [to_a, a] = channel<int>();
    auto [to_b, b] = channel<int>();
    auto [to_c, c] = channel<std::string>();
    smarm::selector s(a, b);
    got.push_back(s.add(c));
    (void)to_b.send(1);
    (void)to_c.send("x");
    got.push_back(s.wait());
    s.remove(1);
    s.remove(1);
    s.remove(99);
    got.push_back(s.size());
    got.push_back(s.wait());
    got.push_back(s.add(b)); // the gap
    got.push_back(s.try_wait().value());
    (void)b.try_recv();
    (void)c.try_recv();
    got.push_back(error_of(s.try_wait()) == errc::empty);
    got.push_back(error_of(s.wait_for(1ns)) == errc::timed_out);
    got.push_back(error_of(s.wait_until(std::chrono::steady_clock::now())) == errc::timed_out);
  });
  CHECK_LIST(got, {2, 1, 2, 2, 1, 1, 1, 1, 1});
}

BOOST_AUTO_TEST_CASE(a_selector_without_arms_is_refused) {
  std::string got;
  smarm::run([&] {
    smarm::selector s;
    got = refusal([&] { (void)s.wait(); }, errc::empty);
  });
  BOOST_TEST(contains(got, "no arm"), got);
}

BOOST_AUTO_TEST_CASE(many_arms_are_selected_one_after_the_other) {
  constexpr std::size_t n = 200;
  std::vector<std::size_t> got;
  smarm::run([&] {
    std::vector<smarm::sender<std::size_t>> to;
    std::vector<smarm::receiver<std::size_t>> from;
    for (std::size_t i = 0; i < n; ++i) {
      auto [tx, rx] = channel<std::size_t>();
      to.push_back(std::move(tx));
      from.push_back(std::move(rx));
    }
    smarm::selector all;
    for (auto& rx : from) {
      all.add(rx);
    }
    auto sending = smarm::spawn([&] {
      for (std::size_t i = 0; i < n; ++i) {
        (void)to[i * 7 % n].send(i);
        smarm::this_actor::yield();
      }
    });
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t which = all.wait();
      got.push_back(which == i * 7 % n && from[which].try_recv() == i ? 0 : i);
    }
    (void)sending.join();
  });
  BOOST_TEST((got == std::vector<std::size_t>(n, 0)));
}

BOOST_AUTO_TEST_SUITE_END()
