// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Waiting for a message: deadlines, several channels at once, and stops.

#define BOOST_TEST_MODULE channel_wait
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/detail/receive_source.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;
using std::chrono::steady_clock;

BOOST_AUTO_TEST_SUITE(channel_wait_suite, *boost::unit_test::timeout(120))

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

BOOST_AUTO_TEST_SUITE_END()
