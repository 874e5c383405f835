// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Unbounded channels: order, closing from either side, deadlines, stops, and who destroys what.

#define BOOST_TEST_MODULE channel
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/channel.hpp>
#include <smarm/detail/receive_source.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <boost/system/system_error.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;

BOOST_AUTO_TEST_SUITE(channel_suite, *boost::unit_test::timeout(120))

// ---- order

BOOST_AUTO_TEST_CASE(messages_arrive_in_the_order_in_which_they_were_sent) {
  std::vector<int> got;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto sending = smarm::spawn([out = std::move(tx)] {
      for (int i = 0; i < 5; ++i) {
        (void)out.send(i);
        smarm::this_actor::yield();
      }
    });
    while (auto message = rx.recv()) {
      got.push_back(*message);
    }
    (void)sending.join();
  });
  CHECK_LIST(got, {0, 1, 2, 3, 4});
}

BOOST_AUTO_TEST_CASE(each_senders_messages_arrive_in_its_order_and_none_is_lost) {
  constexpr int senders = 8;
  constexpr int each = 2000;
  for (const unsigned schedulers : {1u, 4u}) {
    std::vector<int> next(senders, 0);
    bool in_order = true;
    smarm::runtime rt(quiet(schedulers));
    rt.run([&] {
      auto [tx, rx] = smarm::channel<std::pair<int, int>>();
      std::vector<smarm::join_handle> all;
      for (int s = 0; s < senders; ++s) {
        all.push_back(smarm::spawn([s, out = tx] {
          for (int i = 0; i < each; ++i) {
            (void)out.send({s, i});
            if (i % 100 == s) {
              smarm::this_actor::yield();
            }
          }
        }));
      }
      tx = {};
      while (auto message = rx.recv()) {
        in_order = in_order && next[message->first] == message->second;
        ++next[message->first];
      }
      for (auto& h : all) {
        (void)h.join();
      }
    });
    BOOST_TEST(in_order);
    BOOST_TEST(next == std::vector<int>(senders, each), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(a_message_sent_before_the_receiver_asks_is_there) {
  int got = 0;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    (void)tx.send(1);
    const int one = 2;
    (void)tx.send(one); // a copy
    got = rx.recv().value() * 10 + rx.recv().value();
  });
  BOOST_TEST(got == 12);
}

BOOST_AUTO_TEST_CASE(sending_to_a_receiver_that_does_not_wait_wakes_nobody) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    tokens gate;
    auto receiving = smarm::spawn([&, in = std::move(rx)]() mutable {
      gate.take(); // waits, but not for a message
      seen.note("got " + std::to_string(in.recv().value()));
    });
    smarm::this_actor::yield();
    for (int i = 0; i < 10; ++i) {
      (void)tx.send(i);
    }
    smarm::this_actor::yield();
    seen.note(parked(receiving.id()) ? "parked" : "woken");
    gate.give();
    (void)receiving.join();
  });
  CHECK_LIST(seen.all(), {"parked", "got 0"});
}

BOOST_AUTO_TEST_CASE(an_actor_may_send_to_itself) {
  int got = 0;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    for (int i = 0; i < 100; ++i) {
      (void)tx.send(i);
      got += rx.recv().value();
    }
  });
  BOOST_TEST(got == 4950);
}

BOOST_AUTO_TEST_CASE(a_receive_counts_the_message_once_for_the_actor) {
  std::uint64_t counted = 0;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    for (int i = 0; i < 4; ++i) {
      (void)tx.send(i);
    }
    (void)rx.recv();
    (void)rx.try_recv();
    (void)rx.recv_for(1h);
    (void)rx.recv_match([](int) { return true; });
    (void)rx.try_recv(); // nothing there
    counted = smarm::detail::current_scheduler()->current->messages_received;
  });
  BOOST_TEST(counted == 4u);
}

// ---- closing

BOOST_AUTO_TEST_CASE(what_was_sent_is_received_before_the_end_is) {
  std::vector<int> got;
  std::vector<bool> closed;
  errc after{};
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    closed.push_back(rx.closed());
    (void)tx.send(1);
    (void)tx.send(2);
    tx = {};
    closed.push_back(rx.closed());
    got.push_back(rx.recv().value());
    got.push_back(rx.recv().value());
    after = error_of(rx.recv());
  });
  CHECK_LIST(got, {1, 2});
  BOOST_TEST((closed == std::vector<bool>{false, true}));
  BOOST_TEST((after == errc::closed));
}

BOOST_AUTO_TEST_CASE(the_last_sender_to_go_wakes_the_receiver) {
  for (const unsigned schedulers : {1u, 2u}) {
    errc code{};
    smarm::runtime rt(quiet(schedulers));
    rt.run([&] {
      auto [tx, rx] = smarm::channel<int>();
      auto other = tx;
      auto receiving = smarm::spawn([&] { code = error_of(rx.recv()); });
      until([&] { return parked(receiving.id()); });
      tx = {};
      smarm::this_actor::yield();
      other = {};
      (void)receiving.join();
    });
    BOOST_TEST((code == errc::closed));
  }
}

BOOST_AUTO_TEST_CASE(a_try_tells_a_message_from_nothing_yet_and_nothing_any_more) {
  std::vector<errc> codes;
  int got = 0;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    codes.push_back(error_of(rx.try_recv()));
    (void)tx.send(7);
    got = rx.try_recv().value();
    codes.push_back(error_of(rx.try_recv()));
    tx = {};
    codes.push_back(error_of(rx.try_recv()));
  });
  BOOST_TEST(got == 7);
  BOOST_TEST((codes == std::vector{errc::empty, errc::empty, errc::closed}));
}

BOOST_AUTO_TEST_CASE(a_send_without_a_receiver_fails_and_leaves_the_value) {
  std::vector<errc> codes;
  std::string kept;
  int unique = 0;
  bool closed = false;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<std::string>();
    auto [tp, rp] = smarm::channel<std::unique_ptr<int>>();
    { auto gone = std::move(rx); }
    { auto gone = std::move(rp); }
    closed = tx.closed();
    kept = "a text too long to be kept within the string itself";
    codes.push_back(error_of(tx.send(std::move(kept))));
    codes.push_back(error_of(tx.send(kept)));
    codes.push_back(error_of(tx.try_send(std::move(kept))));
    codes.push_back(error_of(tx.send_for(std::move(kept), 1s)));
    auto p = std::make_unique<int>(5);
    codes.push_back(error_of(tp.send(std::move(p))));
    unique = p ? *p : 0;
  });
  BOOST_TEST(closed);
  BOOST_TEST((codes == std::vector(5, errc::closed)));
  BOOST_TEST(kept == "a text too long to be kept within the string itself");
  BOOST_TEST(unique == 5);
}

BOOST_AUTO_TEST_CASE(dropping_the_receiver_destroys_what_is_queued_while_senders_live) {
  recorder seen;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<noted_end>();
    (void)tx.send(noted_end(seen, "one"));
    (void)tx.send(noted_end(seen, "two"));
    { auto taken = rx.recv(); }
    (void)tx.send(noted_end(seen, "three"));
    { auto gone = std::move(rx); }
    seen.note(tx.closed() ? "closed" : "open");
  });
  CHECK_LIST(seen.all(), {"one", "two", "three", "closed"});
}

BOOST_AUTO_TEST_CASE(a_message_that_is_destroyed_in_the_queue_may_use_other_channels) {
  // As a request does whose reply channel goes with it.
  errc code{};
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<smarm::sender<int>>();
    auto [answer, answers] = smarm::channel<int>();
    (void)tx.send(std::move(answer));
    auto asking = smarm::spawn([&] { code = error_of(answers.recv()); });
    until([&] { return parked(asking.id()); });
    { auto gone = std::move(rx); }
    (void)asking.join();
  });
  BOOST_TEST((code == errc::closed));
}

BOOST_AUTO_TEST_CASE(a_message_may_hold_a_sender_of_its_own_channel) {
  struct letter {
    std::shared_ptr<smarm::sender<letter>> back;
    std::shared_ptr<int> token;
  };
  const auto token = std::make_shared<int>();
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<letter>();
    auto back = std::make_shared<smarm::sender<letter>>(tx);
    tx = {};
    const auto& out = *back;
    (void)out.send({back, token});
    back.reset();
    { auto gone = std::move(rx); }
  });
  BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(ends_that_were_moved_from_behave_as_closed) {
  std::vector<errc> codes;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto tx2 = std::move(tx);
    auto rx2 = std::move(rx);
    codes.push_back(error_of(tx.send(1)));    // NOLINT: moved from, on purpose
    codes.push_back(error_of(rx.recv()));     // NOLINT
    codes.push_back(error_of(rx.try_recv())); // NOLINT
    codes.push_back(error_of(smarm::sender<int>().send(1)));
    (void)tx2.send(3);
    codes.push_back(error_of(rx2.recv()));
    smarm::sender<int> copy = tx; // NOLINT: of nothing
    (void)copy;
  });
  BOOST_TEST(
      (codes == std::vector{errc::closed, errc::closed, errc::closed, errc::closed, errc{}}));
}

BOOST_AUTO_TEST_CASE(assigning_an_end_lets_go_of_the_one_before) {
  recorder seen;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<noted_end>();
    auto [tx2, rx2] = smarm::channel<noted_end>();
    (void)tx.send(noted_end(seen, "first"));
    rx = std::move(rx2);
    seen.note(tx.closed() ? "closed" : "open");
    tx = tx2;
    tx2 = {};
    (void)tx.send(noted_end(seen, "second"));
    (void)rx.recv();
    auto& same = tx;
    tx = same;
    seen.note(rx.closed() ? "closed" : "open");
  });
  CHECK_LIST(seen.all(), {"first", "closed", "second", "open"});
}

BOOST_AUTO_TEST_SUITE_END()
