// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Selective receive: the first match from wherever it stands, the order of the rest, waiting behind
// what was seen, and each message looked at once.

#define BOOST_TEST_MODULE recv_match
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <chrono>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using std::chrono::steady_clock;

namespace {

const auto is = [](int wanted) { return [wanted](int n) { return n == wanted; }; };

using maker = std::pair<smarm::sender<int>, smarm::receiver<int>> (*)();

// The unbounded channel, and one of each kind that a bounded one can be inside.
// asserts on the main thread
template <class Body>
void with_each_kind(Body body) {
  const maker kinds[] = {
      [] { return smarm::channel<int>(); },
      [] { return smarm::channel<int>({.capacity = 64}); },
      [] { return smarm::channel<int>({.capacity = 64, .when_full = smarm::overflow::fail}); },
      [] {
        return smarm::channel<int>({.capacity = 64, .when_full = smarm::overflow::drop_oldest});
      },
  };
  for (const maker make : kinds) {
    body(make);
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(recv_match_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(the_first_match_is_taken_and_the_rest_keep_their_order) {
  with_each_kind([](maker make) {
    std::vector<int> got;
    smarm::run([&] {
      auto [tx, rx] = make();
      for (const int n : {1, 2, 3, 4, 5, 6}) {
        (void)tx.send(n);
      }
      got.push_back(rx.recv_match(is(3)).value());                       // in the middle
      got.push_back(rx.recv_match(is(6)).value());                       // the last
      got.push_back(rx.recv_match(is(1)).value());                       // the first
      got.push_back(rx.recv_match([](int n) { return n > 3; }).value()); // the first of two
      (void)tx.send(7);
      while (auto rest = rx.try_recv()) {
        got.push_back(*rest);
      }
    });
    CHECK_LIST(got, {3, 6, 1, 4, 2, 5, 7});
  });
}

BOOST_AUTO_TEST_CASE(it_waits_on_a_queue_without_a_match_and_wakes_for_one) {
  with_each_kind([](maker make) {
    std::vector<int> got;
    smarm::runtime rt(quiet(1));
    rt.run([&] {
      auto [tx, rx] = make();
      (void)tx.send(1);
      (void)tx.send(2);
      auto receiving = smarm::spawn([&] { got.push_back(rx.recv_match(is(9)).value()); });
      until([&] { return parked(receiving.id()); });
      (void)tx.send(3); // wakes, matches not
      until([&] { return parked(receiving.id()); });
      (void)tx.send(9);
      (void)tx.send(4);
      (void)receiving.join();
      while (auto rest = rx.try_recv()) {
        got.push_back(*rest);
      }
    });
    CHECK_LIST(got, {9, 1, 2, 3, 4});
  });
}

BOOST_AUTO_TEST_CASE(each_message_is_looked_at_once_by_one_receive) {
  with_each_kind([](maker make) {
    std::vector<int> looked_at;
    int got = 0;
    smarm::runtime rt(quiet(1));
    rt.run([&] {
      auto [tx, rx] = make();
      for (int i = 0; i < 5; ++i) {
        (void)tx.send(i);
      }
      auto receiving = smarm::spawn([&] {
        got = rx.recv_match([&](int n) {
                  looked_at.push_back(n);
                  return n == 8;
                }).value();
      });
      for (int i = 5; i < 10; ++i) {
        until([&] { return parked(receiving.id()); });
        (void)tx.send(i);
        if (i == 8) {
          break;
        }
      }
      (void)receiving.join();
    });
    BOOST_TEST(got == 8);
    CHECK_LIST(looked_at, {0, 1, 2, 3, 4, 5, 6, 7, 8});
  });
}

BOOST_AUTO_TEST_CASE(the_next_receive_looks_at_all_of_them_again) {
  with_each_kind([](maker make) {
    std::vector<int> got;
    smarm::run([&] {
      auto [tx, rx] = make();
      for (const int n : {1, 2, 3}) {
        (void)tx.send(n);
      }
      got.push_back(rx.recv_match(is(3)).value());
      got.push_back(error_of(rx.try_recv_match(is(3))) == errc::empty);
      (void)tx.send(3);
      got.push_back(rx.recv_match(is(2)).value());
      got.push_back(rx.recv_match(is(3)).value());
      got.push_back(rx.recv().value());
    });
    CHECK_LIST(got, {3, 1, 2, 3, 1});
  });
}

BOOST_AUTO_TEST_CASE(the_end_is_told_only_when_nothing_left_matches) {
  with_each_kind([](maker make) {
    std::vector<int> got;
    std::vector<errc> codes;
    smarm::run([&] {
      auto [tx, rx] = make();
      (void)tx.send(1);
      (void)tx.send(2);
      tx = {};
      got.push_back(rx.recv_match(is(2)).value()); // closed, but it is there
      codes.push_back(error_of(rx.recv_match(is(2))));
      codes.push_back(error_of(rx.try_recv_match(is(2))));
      codes.push_back(error_of(rx.recv_match_for(is(2), 1h)));
      got.push_back(rx.recv().value());
      codes.push_back(error_of(rx.recv_match(is(1))));
    });
    CHECK_LIST(got, {2, 1});
    BOOST_TEST((codes == std::vector(4, errc::closed)));
  });
}

BOOST_AUTO_TEST_CASE(the_last_sender_to_go_wakes_it_though_the_queue_is_not_empty) {
  with_each_kind([](maker make) {
    errc code{};
    smarm::runtime rt(quiet(2));
    rt.run([&] {
      auto [tx, rx] = make();
      (void)tx.send(1);
      auto receiving = smarm::spawn([&] { code = error_of(rx.recv_match(is(2))); });
      until([&] { return parked(receiving.id()); });
      tx = {};
      (void)receiving.join();
    });
    BOOST_TEST((code == errc::closed));
  });
}

BOOST_AUTO_TEST_CASE(a_try_answers_match_nothing_yet_and_nothing_any_more) {
  with_each_kind([](maker make) {
    std::vector<errc> codes;
    int got = 0;
    smarm::run([&] {
      auto [tx, rx] = make();
      codes.push_back(error_of(rx.try_recv_match(is(1))));
      (void)tx.send(2);
      codes.push_back(error_of(rx.try_recv_match(is(1))));
      (void)tx.send(1);
      got = rx.try_recv_match(is(1)).value();
      tx = {};
      codes.push_back(error_of(rx.try_recv_match(is(1))));
    });
    BOOST_TEST(got == 1);
    BOOST_TEST((codes == std::vector{errc::empty, errc::empty, errc::closed}));
  });
}

BOOST_AUTO_TEST_CASE(out_of_time_it_takes_nothing_and_is_never_early) {
  with_each_kind([](maker make) {
    std::vector<errc> codes;
    bool early = false;
    int left = 0;
    smarm::run([&] {
      auto [tx, rx] = make();
      (void)tx.send(1);
      const auto begin = steady_clock::now();
      codes.push_back(error_of(rx.recv_match_for(is(2), 5ms)));
      early = steady_clock::now() - begin < 5ms;
      codes.push_back(error_of(rx.recv_match_until(is(2), begin)));
      codes.push_back(error_of(rx.recv_match_for(is(2), 0s)));
      left = rx.recv_match_for(is(1), 0s).value();
    });
    BOOST_TEST((codes == std::vector(3, errc::timed_out)));
    BOOST_TEST(!early);
    BOOST_TEST(left == 1);
  });
}

BOOST_AUTO_TEST_CASE(a_predicate_that_throws_takes_nothing) {
  with_each_kind([](maker make) {
    std::vector<int> got;
    smarm::run([&] {
      auto [tx, rx] = make();
      for (const int n : {1, 2, 3}) {
        (void)tx.send(n);
      }
      got.push_back(thrown([&] {
        (void)rx.recv_match([](int n) { return n == 2 ? throw std::runtime_error("no") : false; });
      }));
      for (int i = 0; i < 3; ++i) {
        got.push_back(rx.recv().value());
      }
    });
    CHECK_LIST(got, {1, 1, 2, 3});
  });
}

BOOST_AUTO_TEST_CASE(a_predicate_may_send_wait_and_keep_state) {
  with_each_kind([](maker make) {
    std::vector<int> got;
    smarm::run([&] {
      auto [tx, rx] = make();
      auto [other, others] = smarm::channel<int>();
      for (const int n : {1, 2, 3}) {
        (void)tx.send(n);
      }
      int calls = 0;
      got.push_back(rx.recv_match([&, &out = tx, &elsewhere = other, &answers = others](int n) {
                        (void)out.send(10 + n);
                        (void)elsewhere.send(std::move(n));
                        smarm::this_actor::yield();
                        (void)answers.recv();
                        return ++calls == 5;
                      }).value());
      while (auto rest = rx.try_recv()) {
        got.push_back(*rest);
      }
    });
    CHECK_LIST(got, {12, 1, 2, 3, 11, 13, 21, 22});
  });
}

BOOST_AUTO_TEST_CASE(what_was_passed_over_takes_no_room) {
  std::vector<int> got;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>({.capacity = 2});
    auto sending = smarm::spawn([&] {
      for (int i = 0; i < 10; ++i) {
        (void)tx.send(i);
      }
    });
    got.push_back(rx.recv_match(is(9)).value()); // would wait for ever if it held the others up
    (void)sending.join();
    for (int i = 0; i < 9; ++i) {
      got.push_back(rx.recv().value());
    }
  });
  CHECK_LIST(got, {9, 0, 1, 2, 3, 4, 5, 6, 7, 8});
}

BOOST_AUTO_TEST_CASE(what_was_passed_over_is_not_dropped) {
  std::vector<int> got;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>({.capacity = 2, .when_full = smarm::overflow::drop_oldest});
    (void)tx.send(1);
    (void)tx.send(2);
    (void)rx.try_recv_match(is(0));
    for (const int n : {3, 4, 5}) {
      (void)tx.send(n);
    }
    while (auto rest = rx.try_recv()) {
      got.push_back(*rest);
    }
  });
  CHECK_LIST(got, {1, 2, 4, 5});
}

BOOST_AUTO_TEST_CASE(what_was_passed_over_is_destroyed_with_the_receiver) {
  for (const smarm::overflow policy : {smarm::overflow::block, smarm::overflow::drop_oldest}) {
    recorder seen;
    smarm::run([&] {
      auto [tx, rx] = smarm::channel<noted_end>({.capacity = 4, .when_full = policy});
      (void)tx.send(noted_end(seen, "1"));
      (void)tx.send(noted_end(seen, "2"));
      (void)rx.try_recv_match([](const noted_end&) { return false; });
      (void)tx.send(noted_end(seen, "3"));
      { auto gone = std::move(rx); }
      seen.note("gone");
    });
    CHECK_LIST(seen.all(), {"1", "2", "3", "gone"});
  }
}

BOOST_AUTO_TEST_CASE(a_match_that_cannot_be_moved_out_stays) {
  for (const bool bounded : {false, true}) {
    std::vector<int> got;
    smarm::run([&] {
      auto [tx, rx] =
          bounded ? smarm::channel<reluctant>({.capacity = 8}) : smarm::channel<reluctant>();
      for (int i = 0; i < 4; ++i) {
        (void)tx.send(reluctant(i));
      }
      const auto two = [](const reluctant& r) { return r.value == 2; };
      reluctant::moves_until_throw = 0;
      got.push_back(thrown([&] { (void)rx.recv_match(two); }));
      reluctant::moves_until_throw = 0;
      got.push_back(thrown([&] { (void)rx.recv_match(two); }));
      got.push_back(rx.recv_match(two).value().value);
      while (auto rest = rx.try_recv()) {
        got.push_back(rest->value);
      }
    });
    CHECK_LIST(got, {1, 1, 2, 0, 1, 3});
  }
  BOOST_TEST(reluctant::alive == 0);
}

BOOST_AUTO_TEST_CASE(any_order_of_taking_is_the_order_of_sending_without_what_was_taken) {
  with_each_kind([](maker make) {
    bool right = true;
    smarm::run([&] {
      auto [tx, rx] = make();
      std::vector<int> model;
      std::minstd_rand pick(7);
      for (int i = 0; i < 5000; ++i) {
        if (model.size() < 60 && pick() % 2 == 0) {
          (void)tx.send(static_cast<int>(i));
          model.push_back(i);
        } else if (!model.empty()) {
          const auto at = pick() % 3 == 0 ? 0 : pick() % model.size();
          const int wanted = model[at];
          const auto got = at == 0 ? rx.try_recv() : rx.try_recv_match(is(wanted));
          right = right && got.has_value() && *got == wanted;
          model.erase(model.begin() + static_cast<std::ptrdiff_t>(at));
        } else {
          right = right && error_of(rx.try_recv_match(is(0))) == errc::empty;
        }
      }
    });
    BOOST_TEST(right);
  });
}

BOOST_AUTO_TEST_CASE(picking_by_sender_while_all_send_finds_every_message) {
  constexpr int senders = 4;
  constexpr int each = 300;
  for (const bool bounded : {false, true}) {
    std::vector<int> found(senders, 0);
    bool in_order = true;
    smarm::runtime rt(quiet(4));
    rt.run([&] {
      using letter = std::pair<int, int>;
      auto [tx, rx] = bounded ? smarm::channel<letter>({.capacity = 3}) : smarm::channel<letter>();
      std::vector<smarm::join_handle> all;
      for (int s = 0; s < senders; ++s) {
        all.push_back(smarm::spawn([s, out = tx] {
          for (int i = 0; i < each; ++i) {
            (void)out.send({s, i});
          }
        }));
      }
      tx = {};
      for (int i = 0; i < senders * each; ++i) {
        const int wanted = i % senders;
        const auto got = rx.recv_match([&](const letter& l) { return l.first == wanted; });
        in_order = in_order && got.has_value() && got->second == found[wanted];
        ++found[wanted];
      }
      for (auto& h : all) {
        (void)h.join();
      }
    });
    BOOST_TEST(in_order);
    BOOST_TEST(found == std::vector<int>(senders, each), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(plain_threads_choose_too) {
  auto [tx, rx] = smarm::channel<int>();
  int got = 0;
  std::thread choosing([&] { got = rx.recv_match(is(500)).value(); });
  for (int i = 0; i < 1000; ++i) {
    (void)tx.send(std::move(i));
  }
  choosing.join();
  BOOST_TEST(got == 500);
  int rest = 0;
  while (rx.try_recv()) {
    ++rest;
  }
  BOOST_TEST(rest == 999);
}

BOOST_AUTO_TEST_SUITE_END()
