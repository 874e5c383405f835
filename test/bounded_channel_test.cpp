// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Bounded channels: what each policy does when full, who waits for room and in which order, and that
// nobody waits for room that is there.

#define BOOST_TEST_MODULE bounded_channel
#include <boost/test/unit_test.hpp>

#include "messages.hpp"
#include "probe.hpp"
#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <boost/system/system_error.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;
using smarm::overflow;
using std::chrono::steady_clock;

namespace {

constexpr overflow policies[] = {overflow::block, overflow::fail, overflow::drop_newest,
                                 overflow::drop_oldest};

// Everything that can be taken at once.
template <class T>
std::vector<T> drain(smarm::receiver<T>& rx) {
  std::vector<T> all;
  while (auto message = rx.try_recv()) {
    all.push_back(*std::move(message));
  }
  return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(bounded_channel_suite, *boost::unit_test::timeout(120))

// ---- the policies

BOOST_AUTO_TEST_CASE(each_policy_keeps_the_order_and_loses_nothing_while_there_is_room) {
  for (const overflow policy : policies) {
    std::vector<int> got;
    smarm::overflow_counts counts;
    smarm::run([&] {
      auto [tx, rx] = smarm::channel<int>({.capacity = 3, .when_full = policy});
      for (int i = 0; i < 30; i += 3) {
        (void)tx.send(i);
        (void)tx.try_send(i + 1);
        (void)tx.send_for(i + 2, 1h);
        for (int k = 0; k < 3; ++k) {
          got.push_back(rx.recv().value());
        }
      }
      counts = rx.overflows();
    });
    bool in_order = got.size() == 30;
    for (std::size_t i = 0; i < got.size(); ++i) {
      in_order = in_order && got[i] == static_cast<int>(i);
    }
    BOOST_TEST(in_order);
    BOOST_TEST(counts.blocked + counts.refused + counts.dropped_newest + counts.dropped_oldest ==
               0u);
  }
}

BOOST_AUTO_TEST_CASE(fail_refuses_what_does_not_fit_and_leaves_the_value) {
  std::vector<errc> codes;
  std::vector<std::string> got;
  std::string kept = "a text too long to be kept within the string itself";
  smarm::overflow_counts counts;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<std::string>({.capacity = 2, .when_full = overflow::fail});
    codes.push_back(error_of(tx.send("one")));
    codes.push_back(error_of(tx.send("two")));
    codes.push_back(error_of(tx.send(std::move(kept))));
    codes.push_back(error_of(tx.try_send(std::move(kept))));
    codes.push_back(error_of(tx.send_for(std::move(kept), 1h)));
    got = drain(rx);
    codes.push_back(error_of(tx.send("three")));
    got.push_back(rx.recv().value());
    counts = tx.overflows();
  });
  BOOST_TEST((codes == std::vector{errc{}, errc{}, errc::queue_full, errc::queue_full,
                                   errc::queue_full, errc{}}));
  CHECK_LIST(got, {"one", "two", "three"});
  BOOST_TEST(kept == "a text too long to be kept within the string itself");
  BOOST_TEST(counts.refused == 3u);
}

BOOST_AUTO_TEST_CASE(drop_newest_keeps_the_first_and_destroys_the_rest_at_once) {
  recorder seen;
  smarm::overflow_counts counts;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<noted_end>({.capacity = 2, .when_full = overflow::drop_newest});
    for (const char* name : {"1", "2", "3", "4"}) {
      noted_end message(seen, name);
      seen.note(tx.send(std::move(message)).has_value() ? "sent" : "failed");
    }
    counts = rx.overflows();
    (void)rx.recv();
    (void)rx.recv();
  });
  CHECK_LIST(seen.all(), {"sent", "sent", "3", "sent", "4", "sent", "1", "2"});
  BOOST_TEST(counts.dropped_newest == 2u);
}

BOOST_AUTO_TEST_CASE(drop_oldest_keeps_the_last_and_destroys_what_makes_room) {
  recorder seen;
  smarm::overflow_counts counts;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<noted_end>({.capacity = 2, .when_full = overflow::drop_oldest});
    for (const char* name : {"1", "2", "3", "4"}) {
      seen.note(tx.send(noted_end(seen, name)).has_value() ? "sent" : "failed");
    }
    counts = rx.overflows();
    (void)rx.recv();
    (void)rx.recv();
    seen.note(rx.try_recv().has_value() ? "more" : "empty");
  });
  CHECK_LIST(seen.all(), {"sent", "sent", "1", "sent", "2", "sent", "3", "4", "empty"});
  BOOST_TEST(counts.dropped_oldest == 2u);
}

BOOST_AUTO_TEST_CASE(block_suspends_the_sender_until_there_is_room) {
  recorder seen;
  smarm::overflow_counts counts;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<int>({.capacity = 2});
    auto sending = smarm::spawn([&] {
      for (int i = 0; i < 4; ++i) {
        (void)tx.send(i);
        seen.note("sent " + std::to_string(i));
      }
    });
    until([&] { return parked(sending.id()); });
    counts = tx.overflows();
    for (int i = 0; i < 4; ++i) {
      seen.note("got " + std::to_string(rx.recv().value()));
      smarm::this_actor::yield();
    }
    (void)sending.join();
  });
  CHECK_LIST(seen.all(),
             {"sent 0", "sent 1", "got 0", "sent 2", "got 1", "sent 3", "got 2", "got 3"});
  BOOST_TEST(counts.blocked == 1u);
}

BOOST_AUTO_TEST_CASE(a_send_that_may_not_wait_long_fails_in_time_and_leaves_the_value) {
  std::vector<errc> codes;
  auto kept = std::make_unique<int>(3);
  bool early = false;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<std::unique_ptr<int>>({.capacity = 1});
    codes.push_back(error_of(tx.send(std::make_unique<int>(1))));
    const auto begin = steady_clock::now();
    codes.push_back(error_of(tx.send_for(std::move(kept), 10ms)));
    early = steady_clock::now() - begin < 10ms;
    codes.push_back(error_of(tx.send_until(std::move(kept), begin)));
    codes.push_back(error_of(tx.send_for(std::move(kept), 0s)));
    codes.push_back(error_of(tx.try_send(std::move(kept))));
    codes.push_back(error_of(rx.recv()));
    codes.push_back(error_of(tx.send_until(std::move(kept), begin))); // there is room: no wait
    kept = rx.recv().value();
  });
  BOOST_TEST((codes == std::vector{errc{}, errc::timed_out, errc::timed_out, errc::timed_out,
                                   errc::queue_full, errc{}, errc{}}));
  BOOST_TEST(!early);
  BOOST_TEST((kept && *kept == 3));
}

BOOST_AUTO_TEST_CASE(a_capacity_out_of_range_is_refused_by_name) {
  for (const std::size_t capacity : {std::size_t{0}, (std::size_t{1} << 32) + 1}) {
    std::string what;
    boost::system::error_code code;
    try {
      (void)smarm::channel<int>({.capacity = capacity});
    } catch (const boost::system::system_error& e) {
      what = e.what();
      code = e.code();
    }
    BOOST_TEST((code == errc::invalid_config));
    BOOST_TEST(what.find("capacity is " + std::to_string(capacity)) != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(in_scheduler_context_a_send_that_would_wait_is_refused_and_others_work) {
  std::vector<errc> codes;
  smarm::run([&] {
    auto [tx, rx] = smarm::channel<int>({.capacity = 1});
    smarm::this_actor::run_on_thread_stack([&] {
      codes.push_back(error_of(tx.send(1)));
      codes.push_back(error_of(tx.send(2)));
      codes.push_back(error_of(tx.send_for(3, 1h)));
      codes.push_back(error_of(tx.try_send(4)));
      codes.push_back(error_of(rx.recv()));
      codes.push_back(error_of(rx.recv()));
    });
  });
  BOOST_TEST((codes == std::vector{errc{}, errc::would_block_scheduler, errc::would_block_scheduler,
                                   errc::queue_full, errc{}, errc::would_block_scheduler}));
}

// ---- waiting for room

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

// ---- through it

BOOST_AUTO_TEST_CASE(many_senders_and_little_room_lose_nothing) {
  for (const unsigned schedulers : {1u, 4u}) {
    for (const std::size_t capacity : {1u, 2u, 7u, 64u}) {
      long sum = 0;
      smarm::runtime rt(quiet(schedulers));
      rt.run([&] {
        auto [tx, rx] = smarm::channel<int>({.capacity = capacity});
        std::vector<smarm::join_handle> all;
        for (int s = 0; s < 8; ++s) {
          all.push_back(smarm::spawn([out = tx] {
            for (int i = 1; i <= 500; ++i) {
              (void)out.send(i);
            }
          }));
        }
        tx = {};
        while (auto message = rx.recv()) {
          sum += *message;
        }
        for (auto& h : all) {
          (void)h.join();
        }
      });
      BOOST_TEST(sum == 8L * 500 * 501 / 2);
    }
  }
}

BOOST_AUTO_TEST_CASE(plain_threads_wait_for_room_by_blocking) {
  auto [tx, rx] = smarm::channel<int>({.capacity = 3});
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([out = tx] {
      for (int i = 1; i <= 3000; ++i) {
        (void)out.send(i);
      }
    });
  }
  tx = {};
  long sum = 0;
  smarm::run([&] {
    while (auto message = rx.recv()) {
      sum += *message;
    }
  });
  for (auto& t : threads) {
    t.join();
  }
  BOOST_TEST(sum == 3L * 3000 * 3001 / 2);
}

BOOST_AUTO_TEST_CASE(dropping_the_receiver_destroys_what_is_queued_under_each_policy) {
  for (const overflow policy : policies) {
    recorder seen;
    smarm::run([&] {
      auto [tx, rx] = smarm::channel<noted_end>({.capacity = 4, .when_full = policy});
      for (const char* name : {"1", "2", "3"}) {
        (void)tx.send(noted_end(seen, name));
      }
      { auto gone = std::move(rx); }
      seen.note(tx.closed() ? "closed" : "open");
      noted_end kept(seen, "kept");
      seen.note(error_of(tx.send(std::move(kept))) == errc::closed ? "refused" : "sent");
    });
    CHECK_LIST(seen.all(), {"1", "2", "3", "closed", "refused", "kept"});
  }
}

BOOST_AUTO_TEST_CASE(each_policy_ends_after_the_last_message_and_wakes_the_receiver) {
  for (const overflow policy : policies) {
    std::vector<int> got;
    errc code{};
    smarm::runtime rt(quiet(2));
    rt.run([&] {
      auto [tx, rx] = smarm::channel<int>({.capacity = 4, .when_full = policy});
      auto receiving = smarm::spawn([&] {
        got.push_back(rx.recv().value());
        got.push_back(rx.recv_for(1h).value());
        code = error_of(rx.recv());
      });
      until([&] { return parked(receiving.id()); });
      (void)tx.send(1);
      (void)tx.send(2);
      until([&] { return parked(receiving.id()); });
      tx = {};
      (void)receiving.join();
    });
    CHECK_LIST(got, {1, 2});
    BOOST_TEST((code == errc::closed));
  }
}

BOOST_AUTO_TEST_CASE(a_storm_of_messages_onto_a_queue_that_drops_destroys_each_once) {
  auto alive = std::make_shared<int>();
  for (const overflow policy : {overflow::drop_newest, overflow::drop_oldest}) {
    long received = 0;
    smarm::overflow_counts counts;
    smarm::runtime rt(quiet(4));
    rt.run([&] {
      auto [tx, rx] = smarm::channel<std::shared_ptr<int>>({.capacity = 4, .when_full = policy});
      std::vector<smarm::join_handle> all;
      for (int s = 0; s < 6; ++s) {
        all.push_back(smarm::spawn([&, out = tx] {
          for (int i = 0; i < 2000; ++i) {
            (void)out.send(alive);
          }
        }));
      }
      tx = {};
      while (rx.recv()) {
        ++received;
      }
      for (auto& h : all) {
        (void)h.join();
      }
      counts = rx.overflows();
    });
    BOOST_TEST(received + static_cast<long>(counts.dropped_newest + counts.dropped_oldest) ==
               12'000);
    BOOST_TEST(alive.use_count() == 1);
  }
}

// ---- types

BOOST_AUTO_TEST_CASE(each_policy_takes_messages_that_are_hard_to_move) {
  for (const overflow policy : policies) {
    int sum = 0;
    bool aligned = true;
    smarm::run([&] {
      auto [a, ra] = smarm::channel<std::unique_ptr<int>>({.capacity = 3, .when_full = policy});
      auto [b, rb] = smarm::channel<over_aligned>({.capacity = 3, .when_full = policy});
      auto [c, rc] = smarm::channel<large>({.capacity = 3, .when_full = policy});
      auto [d, rd] = smarm::channel<unassignable>({.capacity = 3, .when_full = policy});
      auto [e, re] = smarm::channel<reluctant>({.capacity = 3, .when_full = policy});
      for (int i = 0; i < 3; ++i) {
        (void)a.send(std::make_unique<int>(1));
        (void)b.send({10});
        (void)c.send({100, {}});
        (void)d.send({1000});
        (void)e.send(reluctant(10000));
      }
      for (int i = 0; i < 3; ++i) {
        const auto x = rb.recv().value();
        aligned = aligned && x.placed;
        sum += *ra.recv().value() + x.value + rc.recv().value().value + rd.recv().value().value +
               re.recv().value().value;
      }
    });
    BOOST_TEST(sum == 33333);
    BOOST_TEST(aligned);
  }
  BOOST_TEST(reluctant::alive == 0);
}

BOOST_AUTO_TEST_CASE(a_message_that_cannot_be_moved_stays_where_it_is) {
  for (const overflow policy : policies) {
    std::vector<int> got;
    smarm::run([&] {
      auto [tx, rx] = smarm::channel<reluctant>({.capacity = 3, .when_full = policy});
      reluctant first(5);
      reluctant::moves_until_throw = 0;
      got.push_back(thrown([&] { (void)tx.send(std::move(first)); }));
      got.push_back(first.value);
      (void)tx.send(std::move(first));
      reluctant::moves_until_throw = 0;
      got.push_back(thrown([&] { (void)tx.send(reluctant(6)); }));
      (void)tx.send(reluctant(7));
      reluctant::moves_until_throw = 0;
      got.push_back(thrown([&] { (void)rx.recv(); }));
      got.push_back(rx.recv().value().value);
      got.push_back(rx.recv().value().value);
    });
    CHECK_LIST(got, {1, 5, 1, 1, 5, 7});
  }
  BOOST_TEST(reluctant::alive == 0);
}

BOOST_AUTO_TEST_CASE(a_value_that_may_throw_when_moved_comes_back_from_a_send_that_fails) {
  std::vector<int> got;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto [tx, rx] = smarm::channel<reluctant>({.capacity = 1});
    (void)tx.send(reluctant(1));
    reluctant value(2);
    got.push_back(error_of(tx.send_for(std::move(value), 1ms)) == errc::timed_out);
    got.push_back(value.value);
    got.push_back(error_of(tx.try_send(std::move(value))) == errc::queue_full);
    got.push_back(value.value);
    auto sending = smarm::spawn([&] { (void)tx.send(std::move(value)); });
    until([&] { return parked(sending.id()); });
    smarm::request_stop(sending.id());
    (void)sending.join();
    got.push_back(value.value);
    { auto gone = std::move(rx); }
    got.push_back(error_of(tx.send(std::move(value))) == errc::closed);
    got.push_back(value.value);
  });
  CHECK_LIST(got, {1, 2, 1, 2, 2, 1, 2});
  BOOST_TEST(reluctant::alive == 0);
}

// The runtime sends under locks of its own; checked builds abort where the order of locks is violated.
BOOST_AUTO_TEST_CASE(a_channel_is_used_under_a_leaf_lock) {
  int received = 0;
  smarm::run([&] {
    smarm::detail::raw_lock leaf;
    for (const auto policy : {smarm::overflow::block, smarm::overflow::fail,
                              smarm::overflow::drop_newest, smarm::overflow::drop_oldest}) {
      auto [tx, rx] = smarm::channel<int>({.capacity = 1, .when_full = policy});
      const std::lock_guard guard(leaf);
      for (int i = 0; i < 3; ++i) {
        (void)tx.try_send(i);
      }
      received += rx.try_recv().has_value();
    }
  });
  BOOST_TEST(received == 4);
}

BOOST_AUTO_TEST_SUITE_END()
