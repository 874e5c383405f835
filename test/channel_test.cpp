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
using smarm::exit_kind;
using std::chrono::steady_clock;

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

// ---- in time

BOOST_AUTO_TEST_CASE(a_message_that_is_there_wins_over_any_deadline) {
  std::vector<int> got;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    for (int i = 0; i < 4; ++i) {
      (void)tx.send(i);
    }
    got.push_back(rx.recv_for(10s).value());
    got.push_back(rx.recv_for(0s).value());
    got.push_back(rx.recv_for(-1s).value());
    got.push_back(rx.recv_until(steady_clock::now() - 1h).value());
  });
  CHECK_LIST(got, {0, 1, 2, 3});
}

BOOST_AUTO_TEST_CASE(a_receive_on_a_silent_channel_times_out_and_never_early) {
  std::vector<errc> codes;
  bool early = false;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    const auto begin = steady_clock::now();
    codes.push_back(error_of(rx.recv_for(20ms)));
    early = steady_clock::now() - begin < 20ms;
    codes.push_back(error_of(rx.recv_until(begin + 23ms)));
    early = early || steady_clock::now() - begin < 23ms;
    codes.push_back(error_of(rx.recv_for(0s)));
    codes.push_back(error_of(rx.recv_for(-1s)));
  });
  BOOST_TEST((codes == std::vector(4, errc::timed_out)));
  BOOST_TEST(!early);
}

BOOST_AUTO_TEST_CASE(a_receive_with_a_deadline_is_woken_by_a_message_and_by_the_end) {
  int got = 0;
  errc code{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto receiving = smarm::spawn([&] {
      got = rx.recv_for(1h).value();
      code = error_of(rx.recv_for(1h));
    });
    until([&] { return parked(receiving.id()); });
    (void)tx.send(9);
    until([&] { return got == 9 && parked(receiving.id()); });
    tx = {};
    (void)receiving.join();
  });
  BOOST_TEST(got == 9);
  BOOST_TEST((code == errc::closed));
}

BOOST_AUTO_TEST_CASE(a_channel_is_as_good_as_new_after_a_timeout) {
  std::vector<int> got;
  bool early = false;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    (void)rx.recv_for(3ms);
    (void)tx.send(1); // aimed at nobody
    const auto begin = steady_clock::now();
    smarm::this_actor::sleep_for(5ms);
    early = steady_clock::now() - begin < 5ms;
    got.push_back(rx.recv().value());
    auto sending = smarm::spawn([out = std::move(tx)] { (void)out.send(2); });
    got.push_back(rx.recv_for(1h).value());
    (void)sending.join();
  });
  CHECK_LIST(got, {1, 2});
  BOOST_TEST(!early);
}

BOOST_AUTO_TEST_CASE(many_receivers_with_deadlines_each_get_their_own_outcome) {
  std::atomic<int> received{0};
  std::atomic<int> timed_out{0};
  std::atomic<int> wrong{0};
  smarm::runtime rt(quiet(4));
  rt.run([&] {
    std::vector<smarm::join_handle> all;
    std::vector<smarm::sender<int>> silent;
    for (int i = 0; i < 24; ++i) {
      auto [tx, rx] = smarm::channel<int>();
      const bool fed = i % 2 == 0;
      all.push_back(smarm::spawn([&, i, fed, in = std::move(rx)]() mutable {
        const auto got = fed ? in.recv_for(1h) : in.recv_for(10ms);
        received += got.has_value() && *got == i;
        timed_out += error_of(got) == errc::timed_out;
        wrong += got.has_value() != fed;
      }));
      if (fed) {
        all.push_back(smarm::spawn([i, out = std::move(tx)] { (void)out.send(i); }));
      } else {
        silent.push_back(std::move(tx)); // open to the end: not closed, timed out
      }
    }
    for (auto& h : all) {
      (void)h.join();
    }
  });
  BOOST_TEST(received == 12);
  BOOST_TEST(timed_out == 12);
  BOOST_TEST(wrong == 0);
}

// ---- as one of several sources

template <class A, class B>
struct either {
  smarm::detail::receive_source<A> a;
  smarm::detail::receive_source<B> b;

  smarm::detail::enrolment enroll(const smarm::detail::registration& r) noexcept {
    using smarm::detail::enrolment;
    if (a.enroll(r) == enrolment::ready) {
      return enrolment::ready;
    }
    if (b.enroll(r) == enrolment::ready) {
      return a.withdraw() ? enrolment::ready : enrolment::overtaken;
    }
    return enrolment::enrolled;
  }
  bool satisfied() noexcept { return a.satisfied() || b.satisfied(); }
  bool withdraw() noexcept {
    const bool first = a.withdraw();
    return b.withdraw() && first;
  }
};

BOOST_AUTO_TEST_CASE(two_channels_can_be_waited_for_at_once) {
  std::vector<std::string> got;
  std::vector<bool> ends;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [numbers, rx_numbers] = smarm::channel<int>();
    auto [texts, rx_texts] = smarm::channel<std::string>({.capacity = 2});
    auto waiting = smarm::spawn([&] {
      using smarm::detail::channel_access;
      either<int, std::string> source{{*channel_access::core(rx_numbers)},
                                      {*channel_access::core(rx_texts)}};
      for (;;) {
        const auto end = smarm::detail::wait_for_source<true>(
            source, smarm::detail::wait_kind::select, smarm::detail::deadline_after(1h));
        (void)source.withdraw(); // those that did not end it
        ends.push_back(end == smarm::detail::wait_end::ready);
        if (auto n = rx_numbers.try_recv()) {
          got.push_back(std::to_string(*n));
        } else if (auto text = rx_texts.try_recv()) {
          got.push_back(*text);
        } else if (rx_numbers.closed()) {
          return;
        }
      }
    });
    until([&] { return parked(waiting.id()); });
    (void)texts.send("text");
    until([&] { return got.size() == 1 && parked(waiting.id()); });
    (void)numbers.send(7);
    until([&] { return got.size() == 2 && parked(waiting.id()); });
    numbers = {};
    (void)waiting.join();
  });
  CHECK_LIST(got, {"text", "7"});
  BOOST_TEST((ends == std::vector<bool>{true, true, true}));
}

// ---- stops

BOOST_AUTO_TEST_CASE(a_stop_ends_each_kind_of_receive_and_takes_no_message) {
  recorder seen;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    for (int kind = 0; kind < 4; ++kind) {
      auto [tx, rx] = smarm::channel<int>();
      if (kind == 2) {
        (void)tx.send(0); // one that does not match
      }
      auto receiving = smarm::spawn([&] {
        const auto odd = [](int n) { return n % 2 == 1; };
        switch (kind) {
        case 0: (void)rx.recv(); break;
        case 1: (void)rx.recv_for(24h); break;
        case 2: (void)rx.recv_match(odd); break;
        case 3: (void)rx.recv_match_for(odd, 24h); break;
        }
        seen.note("never");
      });
      until([&] { return parked(receiving.id()); });
      smarm::request_stop(receiving.id());
      seen.note(to_string(receiving.join().kind()));
      (void)tx.send(1);
      if (kind == 2) {
        seen.note(std::to_string(rx.recv().value()));
      }
      seen.note(std::to_string(rx.recv().value()));
    }
  });
  CHECK_LIST(seen.all(), {"stopped", "1", "stopped", "1", "stopped", "0", "1", "stopped", "1"});
}

BOOST_AUTO_TEST_CASE(a_pending_stop_is_raised_before_a_message_is_taken) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (int kind = 0; kind < 3; ++kind) {
      auto [tx, rx] = smarm::channel<int>();
      (void)tx.send(kind);
      auto receiving = smarm::spawn([&] {
        smarm::request_stop(smarm::this_actor::self());
        seen.note(std::to_string(rx.try_recv().has_value())); // takes it: is no stop point
        (void)tx.send(10 + kind);                             // nor is this
        switch (kind) {
        case 0: (void)rx.recv(); break;
        case 1: (void)rx.recv_for(1h); break;
        case 2: (void)rx.recv_match([](int) { return true; }); break;
        }
        seen.note("never");
      });
      seen.note(to_string(receiving.join().kind()));
      seen.note(std::to_string(rx.try_recv().value()));
    }
  });
  CHECK_LIST(seen.all(), {"1", "stopped", "10", "1", "stopped", "11", "1", "stopped", "12"});
}

BOOST_AUTO_TEST_CASE(a_stop_and_a_message_at_the_same_time_lose_nothing) {
  long received = 0;
  long left = 0;
  constexpr long rounds = 1000;
  smarm::runtime rt(quiet(4));
  rt.run([&] {
    for (long i = 0; i < rounds; ++i) {
      auto [tx, rx] = smarm::channel<int>();
      int got = 0;
      auto receiving = smarm::spawn([&] { got = rx.recv().value(); });
      until([&] { return parked(receiving.id()); });
      auto stopping = smarm::spawn([&] { smarm::request_stop(receiving.id()); });
      (void)tx.send(1);
      (void)receiving.join();
      (void)stopping.join();
      received += got;
      left += rx.try_recv().has_value();
    }
  });
  BOOST_TEST(received + left == rounds);
}

BOOST_AUTO_TEST_CASE(a_receive_is_a_checkpoint_even_if_messages_are_there) {
  bool other_ran = false;
  smarm::runtime rt({.schedulers = 1, .timeslice_cycles = 10'000});
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    (void)smarm::spawn([&] { other_ran = true; });
    while (!other_ran) { // nothing in here waits
      (void)tx.send(1);
      (void)rx.recv();
    }
  });
  BOOST_TEST(other_ran);
}

BOOST_AUTO_TEST_CASE(receiving_under_disable_stop_waits_for_its_message) {
  int got = 0;
  exit_kind how{};
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto receiving = smarm::spawn([&] {
      const smarm::disable_stop masked;
      got = rx.recv().value();
    });
    until([&] { return parked(receiving.id()); });
    smarm::request_stop(receiving.id());
    smarm::this_actor::yield();
    (void)tx.send(4);
    how = receiving.join().kind();
  });
  BOOST_TEST(got == 4);
  BOOST_TEST((how == exit_kind::normal || how == exit_kind::stopped));
}

BOOST_AUTO_TEST_CASE(the_end_of_a_run_ends_whoever_waits_at_a_channel) {
  recorder seen;
  auto [tx, rx] = smarm::channel<int>();
  auto [tx2, rx2] = smarm::channel<int>();
  auto [full, taker] = smarm::channel<int>({.capacity = 1});
  (void)full.send(1);
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    const auto waits = [&](const char* name, auto wait) {
      auto h = smarm::spawn([&seen, name, wait] {
        const noted_end at_the_end(seen, name);
        wait();
      });
      until([&] { return parked(h.id()); });
    };
    waits("recv", [&in = rx] { (void)in.recv(); });
    waits("recv_match", [&in2 = rx2] { (void)in2.recv_match([](int) { return true; }); });
    for (int i = 0; i < 20; ++i) {
      waits("send", [&room = full] { (void)room.send(2); });
    }
  });
  BOOST_TEST(seen.count("recv") == 1u);
  BOOST_TEST(seen.count("recv_match") == 1u);
  BOOST_TEST(seen.count("send") == 20u);
  BOOST_TEST(taker.try_recv().value() == 1); // and nothing else was sent
  BOOST_TEST((error_of(taker.try_recv()) == errc::empty));
}

// ---- from elsewhere

BOOST_AUTO_TEST_CASE(plain_threads_send_and_receive) {
  auto [tx, rx] = smarm::channel<int>();
  BOOST_TEST((error_of(rx.try_recv()) == errc::empty));
  BOOST_TEST((error_of(rx.recv_for(2ms)) == errc::timed_out));
  long sum = 0;
  std::thread receiving([&] {
    while (auto message = rx.recv()) {
      sum += *message;
    }
  });
  std::vector<std::thread> sending;
  for (int t = 0; t < 3; ++t) {
    sending.emplace_back([out = tx] {
      for (int i = 1; i <= 10'000; ++i) {
        (void)out.send(i);
      }
    });
  }
  tx = {};
  for (auto& t : sending) {
    t.join();
  }
  receiving.join();
  BOOST_TEST(sum == 3L * 10'000 * 10'001 / 2);
  BOOST_TEST((error_of(rx.recv()) == errc::closed));
}

BOOST_AUTO_TEST_CASE(a_thread_and_an_actor_take_turns) {
  auto [to_actor, requests] = smarm::channel<int>();
  auto [to_thread, answers] = smarm::channel<int>();
  smarm::runtime rt(quiet(2));
  rt.start();
  auto answering = rt.handle().spawn([&] {
    while (auto n = requests.recv()) {
      (void)to_thread.send(*n + 1);
    }
  });
  int n = 0;
  for (int i = 0; i < 1000; ++i) {
    (void)to_actor.send(std::move(n));
    n = answers.recv().value();
  }
  to_actor = {};
  BOOST_TEST((answering.join() == exit_kind::normal));
  BOOST_TEST(n == 1000);
  BOOST_TEST(rt.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(actors_of_two_runtimes_talk) {
  auto [there, requests] = smarm::channel<int>();
  auto [back, answers] = smarm::channel<int>();
  smarm::runtime one(quiet(1));
  smarm::runtime two(quiet(2));
  one.start();
  auto answering = one.handle().spawn([&, reply = std::move(back)] {
    while (auto n = requests.recv()) {
      (void)reply.send(*n + 1);
    }
  });
  int n = 0;
  two.run([&] {
    for (int i = 0; i < 1000; ++i) {
      (void)there.send(std::move(n));
      n = answers.recv().value();
    }
    there = {};
  });
  BOOST_TEST((answering.join() == exit_kind::normal));
  BOOST_TEST(n == 1000);
  BOOST_TEST(one.shutdown(1h).empty());
}

BOOST_AUTO_TEST_CASE(in_scheduler_context_what_would_wait_is_refused_and_the_rest_works) {
  std::vector<errc> codes;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>();
    smarm::this_actor::run_on_thread_stack([&] {
      codes.push_back(error_of(rx.recv()));
      codes.push_back(error_of(rx.recv_for(1h)));
      codes.push_back(error_of(rx.recv_match([](int) { return true; })));
      codes.push_back(error_of(tx.send(1)));
      codes.push_back(error_of(rx.recv())); // there is one: nothing to wait for
      codes.push_back(error_of(rx.try_recv()));
      tx = {};
      codes.push_back(error_of(rx.recv()));
    });
  });
  BOOST_TEST((codes == std::vector{errc::would_block_scheduler, errc::would_block_scheduler,
                                   errc::would_block_scheduler, errc{}, errc{}, errc::empty,
                                   errc::closed}));
}

BOOST_AUTO_TEST_CASE(a_channel_outlives_the_runtime_of_those_who_used_it) {
  auto [tx, rx] = smarm::channel<std::string>();
  smarm::run([&] {
    (void)smarm::spawn([&] { (void)tx.send("from the past"); }).join();
    (void)tx.send("again");
    (void)rx.recv();
  });
  BOOST_TEST(rx.recv().value() == "again");
  (void)tx.send("later");
  BOOST_TEST(rx.recv_for(1h).value() == "later");
}

int receive_in_turn(smarm::receiver<int> rx) {
  auto message = rx.recv();
  if (!message) {
    return 0;
  }
  int later = 0;
  (void)smarm::spawn([&, in = std::move(rx)]() mutable {
    later = receive_in_turn(std::move(in));
  }).join();
  return *message + later;
}

BOOST_AUTO_TEST_CASE(a_second_receiver_is_refused_and_the_first_goes_on) {
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (const int kind : {0, 1, 2}) {
      auto [tx, rx] =
        kind == 0 ? smarm::channel<int>()
                  : smarm::channel<int>({.capacity = 2,
                                         .when_full = kind == 1 ? smarm::overflow::block
                                                                : smarm::overflow::drop_oldest});
      for (const bool choosing : {false, true}) {
        auto first = smarm::spawn([&seen, &rx = rx, choosing] {
          const auto any = [](int) { return true; };
          const auto got = choosing ? rx.recv_match(any) : rx.recv();
          seen.note("got " + std::to_string(got.value()));
        });
        until([&] { return parked(first.id()); });
        for (int how = 0; how < 4; ++how) {
          try {
            using namespace std::chrono_literals;
            const auto any = [](int) { return true; };
            (void)(how == 0   ? rx.recv()
                   : how == 1 ? rx.recv_for(1h)
                   : how == 2 ? rx.recv_match(any)
                              : rx.recv_match_for(any, 1h));
            seen.note("received");
          } catch (const boost::system::system_error& e) {
            seen.note(e.code() == smarm::errc::already_waiting ? "refused" : e.what());
          }
        }
        (void)tx.send(7);
        (void)first.join();
      }
    }
  });
  const auto all = seen.all();
  BOOST_TEST(all.size() == 30u);
  BOOST_TEST(seen.count("refused") == 24u);
  BOOST_TEST(seen.count("got 7") == 6u);
}

BOOST_AUTO_TEST_CASE(a_receiver_moves_from_one_actor_to_the_next) {
  int got = 0;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>();
    auto sending = smarm::spawn([out = std::move(tx)] {
      for (int i = 1; i <= 100; ++i) {
        (void)out.send(i);
        smarm::this_actor::yield();
      }
    });
    got = receive_in_turn(std::move(rx));
    (void)sending.join();
  });
  BOOST_TEST(got == 5050);
}

// ---- types

BOOST_AUTO_TEST_CASE(messages_may_be_move_only_over_aligned_large_or_unassignable) {
  int sum = 0;
  bool aligned = true;
  smarm::run([&] {
    auto [a, ra] = smarm::channel<std::unique_ptr<int>>();
    auto [b, rb] = smarm::channel<over_aligned>();
    auto [c, rc] = smarm::channel<large>();
    auto [d, rd] = smarm::channel<unassignable>();
    for (int i = 0; i < 3; ++i) {
      (void)a.send(std::make_unique<int>(1));
      (void)b.send({10});
      (void)c.send({100, {}});
      (void)d.send({1000});
    }
    for (int i = 0; i < 3; ++i) {
      sum += *ra.recv().value();
      const auto x = rb.recv().value();
      aligned =
          aligned && reinterpret_cast<std::uintptr_t>(&x) % alignof(over_aligned) == 0 && x.placed;
      sum += x.value;
      sum += rc.recv().value().value + rd.recv().value().value;
    }
  });
  BOOST_TEST(sum == 3333);
  BOOST_TEST(aligned);
}

BOOST_AUTO_TEST_CASE(a_message_that_cannot_be_moved_out_stays) {
  std::vector<int> got;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<reluctant>();
    for (int i = 0; i < 3; ++i) {
      (void)tx.send(reluctant(i));
    }
    reluctant::moves_until_throw = 0;
    got.push_back(thrown([&] { (void)rx.recv(); }));
    reluctant::moves_until_throw = 0;
    got.push_back(thrown([&] { (void)rx.try_recv(); }));
    reluctant::moves_until_throw = 0;
    got.push_back(
        thrown([&] { (void)rx.recv_match([](const reluctant& r) { return r.value == 1; }); }));
    reluctant::moves_until_throw = -1;
    for (int i = 0; i < 3; ++i) {
      got.push_back(rx.recv().value().value);
    }
  });
  CHECK_LIST(got, {1, 1, 1, 0, 1, 2});
  BOOST_TEST(reluctant::alive == 0);
}

BOOST_AUTO_TEST_CASE(a_value_that_cannot_be_moved_in_stays_with_its_sender) {
  std::vector<int> got;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<reluctant>();
    reluctant value(7);
    reluctant::moves_until_throw = 0;
    got.push_back(thrown([&] { (void)tx.send(std::move(value)); }));
    reluctant::moves_until_throw = 0;
    got.push_back(thrown([&] { (void)tx.send(value); }));
    reluctant::moves_until_throw = -1;
    got.push_back(value.value);
    got.push_back(error_of(rx.try_recv()) == errc::empty);
  });
  CHECK_LIST(got, {1, 1, 7, 1});
  BOOST_TEST(reluctant::alive == 0);
}

BOOST_AUTO_TEST_CASE(a_message_that_waits_as_it_is_destroyed_is_not_stopped_there) {
  struct waits_at_its_end {
    recorder* seen;
    explicit waits_at_its_end(recorder& to) : seen(&to) {}
    waits_at_its_end(waits_at_its_end&& other) noexcept : seen(std::exchange(other.seen, nullptr)) {}
    ~waits_at_its_end() {
      if (seen != nullptr) {
        smarm::this_actor::sleep_for(1us);
        seen->note("destroyed");
      }
    }
  };
  recorder seen;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto owner = smarm::spawn([&] {
      auto [tx, rx] = smarm::channel<waits_at_its_end>();
      (void)tx.send(waits_at_its_end(seen));
      smarm::request_stop(smarm::this_actor::self());
      rx = {};
      seen.note("went on");
      smarm::this_actor::yield();
      seen.note("not stopped");
    });
    seen.note(to_string(owner.join().kind()));
  });
  CHECK_LIST(seen.all(), {"destroyed", "went on", "stopped"});
}

BOOST_AUTO_TEST_SUITE_END()
