// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What becomes of a message that cannot be delivered, and what one may do as it is destroyed.

#define BOOST_TEST_MODULE send_after_delivery
#include <boost/test/unit_test.hpp>

#include "delayed_messages.hpp"
#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/runtime.hpp>
#include <smarm/send_after.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::send_after;
using smarm::timer_id;

BOOST_AUTO_TEST_SUITE(send_after_delivery_suite, *boost::unit_test::timeout(120))

// ---- what goes wrong at the fire

BOOST_AUTO_TEST_CASE(a_receiver_that_is_gone_is_no_news_and_the_message_is_destroyed) {
  counted::ends = 0;
  bool cancelled = true;
  const auto reports = reports_of([&] {
    auto [tx, rx] = smarm::channel<counted>();
    const timer_id id = send_after(1us, tx, counted(1));
    rx = {};
    until_all_fired();
    cancelled = cancel(id);
  });
  BOOST_TEST(reports.empty());
  BOOST_TEST(!cancelled);
  BOOST_TEST(counted::ends == 1);
  BOOST_TEST(counted::alive == 0);
}

BOOST_AUTO_TEST_CASE(a_full_channel_drops_the_message_counts_it_and_it_is_reported) {
  std::uint64_t refused = 0;
  std::uint64_t dropped = 0;
  std::vector<int> got;
  const auto reports = reports_of([&] {
    auto [tx, rx] = smarm::channel<int>({.capacity = 1, .when_full = smarm::overflow::block});
    (void)tx.send(1);
    (void)send_after(1us, tx, 2);
    auto [newest, rest] =
        smarm::channel<int>({.capacity = 1, .when_full = smarm::overflow::drop_newest});
    (void)newest.send(1);
    (void)send_after(1us, newest, 2); // as its channel's owner wants it
    until_all_fired();
    refused = tx.overflows().refused;
    dropped = newest.overflows().dropped_newest;
    while (auto message = rx.try_recv()) {
      got.push_back(*message);
    }
  });
  BOOST_TEST(refused == 1u);
  BOOST_TEST(dropped == 1u);
  CHECK_LIST(got, {1});
  BOOST_REQUIRE(reports.size() == 1u);
  BOOST_TEST((reports.front().kind == smarm::report_kind::callback_failed));
  BOOST_TEST(reports.front().text.find("Raise the bound") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_move_that_throws_at_the_fire_is_reported_and_nothing_leaks) {
  reluctant::moves_until_throw = -1;
  errc after{};
  const auto reports = reports_of([&] {
    auto [tx, rx] = smarm::channel<reluctant>();
    (void)send_after(1us, tx, reluctant(1));
    reluctant::moves_until_throw = 0;
    until_all_fired();
    after = error_of(rx.try_recv());
  });
  BOOST_REQUIRE(reports.size() == 1u);
  BOOST_TEST((reports.front().kind == smarm::report_kind::callback_failed));
  BOOST_TEST(reports.front().text.find("cannot be moved") != std::string::npos);
  BOOST_TEST((after == errc::empty));
  BOOST_TEST(reluctant::alive == 0);
}

BOOST_AUTO_TEST_CASE(a_move_that_throws_while_arming_arms_nothing) {
  bool threw = false;
  std::size_t armed = 1;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<reluctant>();
    reluctant value(1);
    reluctant::moves_until_throw = 1; // into the argument, but no further
    threw = thrown([&] { (void)send_after(1h, tx, std::move(value)); });
    reluctant::moves_until_throw = -1;
    armed = this_runtime().stats().armed_timers;
  });
  BOOST_TEST(threw);
  BOOST_TEST(armed == 0u);
  BOOST_TEST(reluctant::alive == 0);
}

// ---- scheduler context

BOOST_AUTO_TEST_CASE(what_a_message_does_as_it_is_destroyed_works_unless_it_would_wait) {
  recorder seen;
  const auto act = [&seen](smarm::sender<int> tx, smarm::receiver<int>& empty,
                           const timer_id& other) {
    seen.note(smarm::this_actor::is_actor() ? "actor" : "no actor");
    seen.note(error_of(empty.recv()) == errc::would_block_scheduler ? "would block" : "waits");
    const auto yield = refusal([] { smarm::this_actor::yield(); });
    seen.note(yield == errc::would_block_scheduler ? "no yield" : "yields");
    const auto self = refusal([] { (void)smarm::this_actor::self(); });
    seen.note(self == errc::not_in_actor ? "nobody" : "somebody");
    seen.note(cancel(other) ? "cancelled" : "missed");
    (void)tx.send(1);
    (void)send_after(1us, tx, 2);
    (void)smarm::spawn([tx] { (void)tx.send(4); });
  };
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto [never, empty] = smarm::channel<int>();
    auto [gone, dropped] = smarm::channel<at_end>();
    const timer_id other = send_after(1h, tx, 100);
    (void)send_after(1us, gone, at_end([&, tx = tx] { act(tx, empty, other); }));
    dropped = {};
    int sum = 0;
    for (int i = 0; i < 3; ++i) {
      sum += rx.recv().value();
    }
    seen.note(std::to_string(sum));
  });
  CHECK_LIST(seen.all(), {"no actor", "would block", "no yield", "nobody", "cancelled", "7"});
}

BOOST_AUTO_TEST_CASE(a_message_that_is_cancelled_is_destroyed_by_the_caller_who_may_wait_in_it) {
  recorder seen;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<at_end>();
    auto [to_it, from_us] = smarm::channel<int>();
    timer_id inner = send_after(1h, tx, at_end([&] { seen.note("inner"); }));
    const timer_id outer = send_after(1h, tx, at_end([&, inner] {
                                        smarm::this_actor::yield();
                                        seen.note("got " + std::to_string(from_us.recv().value()));
                                        (void)cancel(inner);
                                      }));
    (void)send_after(1us, to_it, 5);
    seen.note(cancel(outer) ? "cancelled" : "missed");
  });
  CHECK_LIST(seen.all(), {"got 5", "inner", "cancelled"});
}

BOOST_AUTO_TEST_CASE(a_message_may_hold_the_id_of_its_own_timer) {
  bool cancelled = false;
  int destroyed = 0;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<at_end>();
    auto own = std::make_shared<timer_id>();
    *own = send_after(1h, tx, at_end([&, own] { destroyed += 1 + 10 * cancel(*own); }));
    auto* const place = own.get();
    own.reset(); // only the message holds it now
    cancelled = cancel(*place);
  });
  BOOST_TEST(cancelled);
  BOOST_TEST(destroyed == 1);
}

BOOST_AUTO_TEST_CASE(exceptions_of_an_actor_that_yields_and_of_a_callback_do_not_meet) {
  recorder seen;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<at_end>();
    rx = {};
    try {
      throw std::runtime_error("the actor's");
    } catch (const std::runtime_error&) {
      (void)send_after(1us, tx, at_end([&] {
                         seen.note(std::current_exception() == nullptr ? "clean" : "dirty");
                         seen.note(std::to_string(std::uncaught_exceptions()));
                         try {
                           throw std::logic_error("the callback's");
                         } catch (const std::logic_error& e) {
                           seen.note(e.what());
                         }
                       }));
      until_all_fired();
      try {
        throw;
      } catch (const std::runtime_error& e) {
        seen.note(e.what());
      }
    }
  });
  CHECK_LIST(seen.all(), {"clean", "0", "the callback's", "the actor's"});
}

BOOST_AUTO_TEST_CASE(a_stopped_actor_is_not_stopped_inside_a_callback) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<at_end>();
    rx = {};
    auto victim = smarm::spawn([&] {
      (void)send_after(0us, tx, at_end([&] {
                         auto [never, empty] = smarm::channel<int>();
                         seen.note(error_of(empty.recv()) == errc::would_block_scheduler
                                       ? "not raised"
                                       : "raised");
                       }));
      (void)smarm::request_stop(smarm::this_actor::self());
      const smarm::disable_stop until_fired;
      until_all_fired();
    });
    (void)victim.join();
  });
  CHECK_LIST(seen.all(), {"not raised"});
}

BOOST_AUTO_TEST_CASE(a_callback_may_arm_what_is_due_at_once_without_end) {
  int left = 1000;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<at_end>();
    rx = {};
    std::function<void()> again = [&] {
      if (--left > 0) {
        (void)send_after(0s, tx, at_end(again));
      }
    };
    (void)send_after(0s, tx, at_end(again));
    until([&] { return left == 0; });
  });
  BOOST_TEST(left == 0);
}

BOOST_AUTO_TEST_SUITE_END()
