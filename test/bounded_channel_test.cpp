// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Bounded channels: what each policy does when full, who waits for room and in which order, and that
// nobody waits for room that is there.

#define BOOST_TEST_MODULE bounded_channel
#include <boost/test/unit_test.hpp>

#include "bounded_channels.hpp"
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
using smarm::overflow;
using std::chrono::steady_clock;

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

BOOST_AUTO_TEST_SUITE_END()
