// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Latches.

#define BOOST_TEST_MODULE latch
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/error.hpp>
#include <smarm/latch.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

BOOST_AUTO_TEST_SUITE(latch_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(all_who_wait_go_on_when_it_opens_and_it_stays_open) {
  recorder seen;
  smarm::latch open(3);
  smarm::run([&] {
    std::vector<smarm::join_handle> handles;
    for (int i = 0; i < 3; ++i) {
      handles.push_back(waiting([&, i] {
        open.wait();
        seen.note(std::to_string(i));
      }));
    }
    open.count_down();
    smarm::this_actor::yield();
    seen.note(open.try_wait() ? "open" : "shut");
    open.count_down(2);
    join_all(handles);
    open.wait();
    seen.note(open.try_wait() ? "open" : "shut");
  });
  CHECK_LIST(seen.all(), {"shut", "0", "1", "2", "open"});
}

BOOST_AUTO_TEST_CASE(one_of_nothing_is_open) {
  const smarm::latch open(0);
  open.wait();
  BOOST_TEST(open.try_wait());
}

BOOST_AUTO_TEST_CASE(arrivals_wait_for_each_other_be_they_actors_or_threads) {
  recorder seen;
  smarm::latch all(5);
  const auto arrive = [&] {
    seen.note("before");
    all.arrive_and_wait();
    seen.note("after");
  };
  std::thread first(arrive);
  std::thread second(arrive);
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    std::vector<smarm::join_handle> handles;
    for (int i = 0; i < 3; ++i) {
      handles.push_back(smarm::spawn(arrive));
    }
    join_all(handles);
  });
  first.join();
  second.join();
  const auto all_seen = seen.all();
  BOOST_TEST(all_seen.size() == 10u);
  BOOST_TEST(std::count(all_seen.begin(), all_seen.begin() + 5, "before") == 5);
}

BOOST_AUTO_TEST_CASE(a_stop_ends_the_wait_but_not_the_arrival) {
  exit_kind how{};
  bool open = false;
  smarm::latch all(2);
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto waiter = waiting([&] { all.arrive_and_wait(); });
    smarm::request_stop(waiter.id());
    how = waiter.join().kind();
    all.count_down();
    open = all.try_wait();
  });
  BOOST_TEST((how == exit_kind::stopped));
  BOOST_TEST(open);
}

BOOST_AUTO_TEST_CASE(a_wait_at_an_open_one_is_a_stop_point) {
  exit_kind how{};
  const smarm::latch open(0);
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    how = smarm::spawn([&] {
            smarm::request_stop(smarm::this_actor::self());
            open.wait();
            smarm::request_shutdown(smarm::this_actor::self());
          })
              .join()
              .kind();
  });
  BOOST_TEST((how == exit_kind::stopped));
}

BOOST_AUTO_TEST_CASE(in_scheduler_context_only_a_wait_is_refused) {
  boost::system::error_code said;
  smarm::latch open(1);
  smarm::run([&] {
    smarm::this_actor::run_on_thread_stack([&] {
      said = refusal([&] { open.wait(); });
      open.count_down();
      open.wait();
    });
  });
  BOOST_TEST((said == errc::would_block_scheduler));
}

BOOST_AUTO_TEST_CASE(whoever_has_seen_it_open_may_destroy_it) {
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    for (int i = 0; i < 3000; ++i) {
      auto done = std::make_unique<smarm::latch>(1);
      auto other = smarm::spawn([&l = *done] { l.count_down(); });
      if (i % 2 == 0) {
        until([&] { return done->try_wait(); });
      } else {
        done->wait();
      }
      done.reset(); // while the other may still be on its way out of count_down
      (void)other.join();
    }
  });
}

BOOST_AUTO_TEST_CASE(counting_it_down_too_far_is_refused_and_counts_nothing) {
  smarm::latch one(1);
  BOOST_TEST((refusal([&] { one.count_down(2); }) == errc::count_out_of_range));
  BOOST_TEST((refusal([&] { one.count_down(-1); }) == errc::count_out_of_range));
  BOOST_TEST((refusal([&] { one.arrive_and_wait(2); }) == errc::count_out_of_range));
  BOOST_TEST(!one.try_wait());
  one.count_down();
  BOOST_TEST(one.try_wait());
  BOOST_TEST((refusal([&] { one.count_down(); }) == errc::count_out_of_range));
  BOOST_TEST(one.try_wait());
  BOOST_TEST((refusal([] { smarm::latch(-1); }) == errc::invalid_config));
}

BOOST_AUTO_TEST_SUITE_END()
