// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Waiting for room: in order, and nobody waits for room that is there, whatever ends a wait.

#define BOOST_TEST_MODULE bounded_channel_room
#include <boost/test/unit_test.hpp>

#include "bounded_channels.hpp"
#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

BOOST_AUTO_TEST_SUITE(bounded_channel_room_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(blocked_senders_get_room_in_the_order_in_which_they_began_to_wait) {
  std::vector<int> got;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>({.capacity = 1});
    (void)tx.send(0);
    std::vector<smarm::join_handle> all;
    for (int i = 1; i <= 6; ++i) {
      all.push_back(smarm::spawn([&, i] { (void)tx.send(i); }));
      until([&] { return parked(all.back().id()); });
    }
    for (int i = 0; i <= 6; ++i) {
      got.push_back(rx.recv().value());
    }
    for (auto& h : all) {
      (void)h.join();
    }
  });
  CHECK_LIST(got, {0, 1, 2, 3, 4, 5, 6});
}

BOOST_AUTO_TEST_CASE(a_sender_whose_room_was_taken_keeps_its_place) {
  std::vector<int> got;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>({.capacity = 1});
    (void)tx.send(0);
    std::vector<smarm::join_handle> all;
    for (int i = 1; i <= 3; ++i) {
      all.push_back(smarm::spawn([&, i] { (void)tx.send(i); }));
      until([&] { return parked(all.back().id()); });
    }
    got.push_back(rx.recv().value());
    got.push_back(tx.try_send(100).has_value()); // before the first of those who wait can run
    smarm::this_actor::yield();
    for (int i = 0; i < 4; ++i) {
      got.push_back(rx.recv().value());
    }
    for (auto& h : all) {
      (void)h.join();
    }
  });
  CHECK_LIST(got, {0, 1, 100, 1, 2, 3});
}

BOOST_AUTO_TEST_CASE(room_for_one_is_enough_even_if_the_receiver_takes_no_more) {
  // The ring is large, one cell is freed, and the receiver then waits for the sender itself.
  exit_kind how{};
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>({.capacity = 64});
    for (int i = 0; i < 64; ++i) {
      (void)tx.send(i);
    }
    auto sending = smarm::spawn([&] { (void)tx.send(64); });
    until([&] { return parked(sending.id()); });
    (void)rx.recv();
    how = sending.join().kind();
  });
  BOOST_TEST(how == exit_kind::normal);
}

BOOST_AUTO_TEST_CASE(a_sender_that_gives_up_leaves_its_place_to_the_next) {
  std::vector<int> got;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>({.capacity = 1});
    (void)tx.send(0);
    std::vector<smarm::join_handle> all;
    for (int i = 1; i <= 4; ++i) {
      all.push_back(smarm::spawn([&, i] {
        if (i == 2) {
          got.push_back(tx.send_for(i, 1ms).has_value() ? 2 : -2);
        } else {
          (void)tx.send(i);
        }
      }));
      until([&] { return parked(all.back().id()); });
    }
    smarm::request_stop(all[2].id());
    (void)all[1].join();
    (void)all[2].join();
    for (int i = 0; i < 3; ++i) {
      got.push_back(rx.recv().value());
    }
    (void)all[0].join();
    (void)all[3].join();
    got.push_back(rx.try_recv().has_value());
  });
  CHECK_LIST(got, {-2, 0, 1, 4, 0});
}

BOOST_AUTO_TEST_CASE(closing_wakes_every_blocked_sender_and_leaves_the_values) {
  constexpr int senders = 5;
  std::vector<int> kept(senders, 0);
  std::atomic<int> closed{0};
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<std::unique_ptr<int>>({.capacity = 1});
    (void)tx.send(std::make_unique<int>(0));
    std::vector<smarm::join_handle> all;
    for (int i = 0; i < senders; ++i) {
      all.push_back(smarm::spawn([&, i] {
        auto value = std::make_unique<int>(i + 1);
        const auto sent =
            i % 2 == 0 ? tx.send(std::move(value)) : tx.send_for(std::move(value), 1h);
        closed += error_of(sent) == errc::closed;
        kept[static_cast<std::size_t>(i)] = value ? *value : 0;
      }));
      until([&] { return parked(all.back().id()); });
    }
    { auto gone = std::move(rx); }
    for (auto& h : all) {
      (void)h.join();
    }
  });
  BOOST_TEST(closed == senders);
  CHECK_LIST(kept, {1, 2, 3, 4, 5});
}

BOOST_AUTO_TEST_CASE(a_stop_ends_a_blocked_send_and_leaves_the_value) {
  recorder seen;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    for (int kind = 0; kind < 3; ++kind) {
      auto [tx, rx] = smarm::channel<std::unique_ptr<int>>({.capacity = 1});
      (void)tx.send(std::make_unique<int>(0));
      std::unique_ptr<int> value = std::make_unique<int>(1);
      auto sending = smarm::spawn([&] {
        if (kind == 2) { // already pending
          smarm::request_stop(smarm::this_actor::self());
        }
        (void)(kind == 1 ? tx.send_for(std::move(value), 24h) : tx.send(std::move(value)));
        seen.note("never");
      });
      if (kind < 2) {
        until([&] { return parked(sending.id()); });
        smarm::request_stop(sending.id());
      }
      seen.note(to_string(sending.join().kind()));
      seen.note(value ? "kept" : "lost");
      (void)rx.recv();
      seen.note(rx.try_recv().has_value() ? "more" : "empty");
    }
  });
  CHECK_LIST(seen.all(),
             {"stopped", "kept", "empty", "stopped", "kept", "empty", "stopped", "kept", "empty"});
}

BOOST_AUTO_TEST_CASE(a_send_that_finds_room_is_no_stop_point) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>({.capacity = 1});
    auto sending = smarm::spawn([&] {
      smarm::request_stop(smarm::this_actor::self());
      (void)tx.send(1);
      (void)tx.try_send(2);
      seen.note("past");
      (void)tx.send(3);
      seen.note("never");
    });
    seen.note(to_string(sending.join().kind()));
  });
  CHECK_LIST(seen.all(), {"past", "stopped"});
}

BOOST_AUTO_TEST_CASE(stops_deadlines_and_room_at_the_same_time_lose_nothing_and_strand_nobody) {
  std::atomic<long> sent{0};
  long received = 0;
  smarm::runtime rt(quiet(4));
  rt.run([&] {
    for (int round = 0; round < 150; ++round) {
      auto [tx, rx] = smarm::channel<int>({.capacity = 1 + static_cast<unsigned>(round) % 3});
      std::vector<smarm::join_handle> all;
      for (unsigned i = 0; i < 6; ++i) {
        all.push_back(smarm::spawn([&sent, i, out = tx] {
          std::minstd_rand pick(i + 1);
          for (int k = 0; k < 20; ++k) {
            sent += i % 2 == 0
                        ? out.send(1).has_value()
                        : out.send_for(1, std::chrono::nanoseconds(pick() % 5000)).has_value();
          }
        }));
      }
      tx = {};
      auto stopping = smarm::spawn([&] {
        smarm::request_stop(all[0].id());
        smarm::this_actor::yield();
        smarm::request_stop(all[1].id());
      });
      while (rx.recv()) {
        ++received;
      }
      (void)stopping.join();
      for (auto& h : all) {
        (void)h.join();
      }
    }
  });
  // One whose send went through, and whose count did not, was stopped in between: there is no stop
  // point there.
  BOOST_TEST(received == sent);
}

BOOST_AUTO_TEST_SUITE_END()
