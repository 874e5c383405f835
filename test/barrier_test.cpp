// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Barriers.

#define BOOST_TEST_MODULE barrier
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/barrier.hpp>
#include <smarm/error.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

BOOST_AUTO_TEST_SUITE(barrier_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(nobody_begins_a_phase_before_all_have_ended_the_last) {
  constexpr int phases = 200;
  std::atomic<int> arrived{0};
  std::atomic<int> wrong{0};
  smarm::barrier phase(6);
  const auto work = [&] {
    for (int p = 1; p <= phases; ++p) {
      ++arrived;
      phase.arrive_and_wait();
      wrong += arrived < 6 * p || arrived > 6 * (p + 1);
    }
  };
  std::thread first(work);
  std::thread second(work);
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    std::vector<smarm::join_handle> handles;
    for (int i = 0; i < 4; ++i) {
      handles.push_back(smarm::spawn(work));
    }
    join_all(handles);
  });
  first.join();
  second.join();
  BOOST_TEST(wrong == 0);
  BOOST_TEST(arrived == 6 * phases);
}

BOOST_AUTO_TEST_CASE(the_completion_function_is_called_once_a_phase_before_anybody_goes_on) {
  recorder seen;
  smarm::run([&] {
    smarm::barrier phase(3, [&]() noexcept {
      smarm::this_actor::yield(); // it may wait
      seen.note("complete");
    });
    std::vector<smarm::join_handle> handles;
    for (int i = 0; i < 3; ++i) {
      handles.push_back(smarm::spawn([&] {
        for (int p = 0; p < 2; ++p) {
          seen.note("arrive");
          phase.arrive_and_wait();
          seen.note("go on");
        }
      }));
    }
    join_all(handles);
  });
  const auto all = seen.all();
  BOOST_TEST(all.size() == 14u);
  BOOST_TEST(seen.count("complete") == 2u);
  std::ptrdiff_t arrived = 0;
  std::ptrdiff_t complete = 0;
  bool in_order = true;
  for (const auto& what : all) {
    arrived += what == "arrive";
    complete += what == "complete";
    in_order = in_order && (what != "complete" || arrived == 3 * complete);
    in_order = in_order && (what != "go on" || complete > 0);
  }
  BOOST_TEST(in_order);
}

BOOST_AUTO_TEST_CASE(who_arrives_need_not_wait_at_once) {
  recorder seen;
  smarm::run([&] {
    smarm::barrier phase(2);
    auto other = waiting([&] {
      phase.arrive_and_wait();
      seen.note("other");
    });
    auto token = phase.arrive();
    seen.note("arrived");
    (void)other.join();
    phase.wait(std::move(token)); // over already
    seen.note("waited");
    auto both = phase.arrive(2);
    phase.wait(std::move(both));
    seen.note("alone");
  });
  CHECK_LIST(seen.all(), {"arrived", "other", "waited", "alone"});
}

BOOST_AUTO_TEST_CASE(who_drops_out_is_not_waited_for) {
  recorder seen;
  smarm::run([&] {
    smarm::barrier phase(2);
    auto other = waiting([&] {
      phase.arrive_and_wait();
      seen.note("first");
      phase.arrive_and_wait();
      seen.note("second");
    });
    phase.arrive_and_drop();
    (void)other.join();
  });
  CHECK_LIST(seen.all(), {"first", "second"});
}

BOOST_AUTO_TEST_CASE(a_stop_ends_the_wait_but_not_the_arrival) {
  recorder seen;
  exit_kind how{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    smarm::barrier phase(2, [&]() noexcept { seen.note("complete"); });
    auto waiter = waiting([&] {
      phase.arrive_and_wait();
      seen.note("went on");
    });
    smarm::request_stop(waiter.id());
    how = waiter.join().kind();
    phase.arrive_and_wait();
  });
  CHECK_LIST(seen.all(), {"complete"});
  BOOST_TEST((how == exit_kind::stopped));
}

// It is noexcept: a stop that got into it would end the process.
BOOST_AUTO_TEST_CASE(a_completion_function_that_waits_is_not_stopped_but_its_caller_is_later) {
  recorder seen;
  exit_kind how{};
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    const auto complete = [&]() noexcept {
      smarm::this_actor::sleep_for(5ms);
      seen.note("complete");
    };
    smarm::barrier phase(1, complete);
    auto h = waiting([&] {
      (void)phase.arrive();
      seen.note("arrived");
      smarm::this_actor::yield();
      seen.note("went on");
    });
    smarm::request_stop(h.id());
    how = h.join().kind();
  });
  CHECK_LIST(seen.all(), {"complete", "arrived"});
  BOOST_TEST((how == exit_kind::stopped));
}

BOOST_AUTO_TEST_CASE(in_scheduler_context_only_a_wait_is_refused) {
  boost::system::error_code said;
  smarm::barrier phase(2);
  smarm::run([&] {
    smarm::this_actor::run_on_thread_stack([&] {
      said = refusal([&] { phase.arrive_and_wait(); });
      phase.arrive_and_wait(); // the last
    });
  });
  BOOST_TEST((said == errc::would_block_scheduler));
}

BOOST_AUTO_TEST_SUITE_END()
