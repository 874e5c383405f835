// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Stops that meet a wait for a condition, and waits that are refused.

#define BOOST_TEST_MODULE condition_variable_stop
#include <boost/test/unit_test.hpp>

#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/condition_variable.hpp>
#include <smarm/error.hpp>
#include <smarm/mutex.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/errc.hpp>

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

namespace {

// Whether the caller of a wait has the mutex again.
template <class Mutex>
std::string held(Mutex& m) {
  return m.try_lock() ? "free" : "held";
}

} // namespace

BOOST_AUTO_TEST_SUITE(condition_variable_stop_suite, *boost::unit_test::timeout(120))

// ---- stops

BOOST_AUTO_TEST_CASE(a_stop_ends_the_wait_with_the_mutex_held) {
  recorder seen;
  exit_kind how{};
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto waiter = waiting([&] {
      std::unique_lock lock(m);
      try {
        changed.wait(lock);
        seen.note("went on");
      } catch (...) {
        seen.note(held(m));
        throw;
      }
    });
    smarm::request_stop(waiter.id());
    how = waiter.join().kind();
    seen.note(held(m));
    m.unlock();
    changed.notify_one(); // nobody is there
  });
  CHECK_LIST(seen.all(), {"held", "free"});
  BOOST_TEST((how == exit_kind::stopped));
}

BOOST_AUTO_TEST_CASE(a_stopped_waiter_waits_for_the_mutex_before_it_unwinds) {
  recorder seen;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto waiter = waiting([&] {
      std::unique_lock lock(m);
      const noted_end unwound(seen, "unwound");
      changed.wait(lock);
    });
    m.lock();
    smarm::request_stop(waiter.id());
    smarm::this_actor::yield();
    until([&] { return parked(waiter.id()); });
    seen.note("unlocking");
    m.unlock();
    (void)waiter.join();
  });
  CHECK_LIST(seen.all(), {"unlocking", "unwound"});
}

BOOST_AUTO_TEST_CASE(a_stop_that_is_pending_is_raised_before_the_wait) {
  recorder seen;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto actor = smarm::spawn([&] {
      smarm::request_stop(smarm::this_actor::self());
      std::unique_lock lock(m);
      const noted_end unwound(seen, "unwound");
      changed.wait(lock);
      seen.note("went on");
    });
    (void)actor.join();
    seen.note(held(m));
    m.unlock();
  });
  CHECK_LIST(seen.all(), {"unwound", "free"});
}

BOOST_AUTO_TEST_CASE(a_notify_and_a_stop_at_once_lose_nothing) {
  recorder seen;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (const bool stop_first : {false, true}) {
      auto first = waiting([&] {
        std::unique_lock lock(m);
        changed.wait(lock);
        seen.note("first");
        lock.unlock();
        smarm::this_actor::yield();
      });
      auto second = waiting([&] {
        std::unique_lock lock(m);
        changed.wait(lock);
        seen.note("second");
      });
      if (stop_first) {
        smarm::request_stop(first.id());
        changed.notify_one(); // it has not run yet, and is still the first
      } else {
        changed.notify_one();
        smarm::request_stop(first.id());
      }
      (void)first.join();
      seen.note(parked(second.id()) ? "second waits" : "second is notified too");
      changed.notify_one();
      (void)second.join();
    }
  });
  CHECK_LIST(seen.all(), {"first", "second waits", "second", "first", "second waits", "second"});
}

BOOST_AUTO_TEST_CASE(a_masked_stop_does_not_end_the_wait) {
  recorder seen;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto waiter = waiting([&] {
      const smarm::disable_stop masked;
      std::unique_lock lock(m);
      changed.wait(lock);
      seen.note("notified");
    });
    smarm::request_stop(waiter.id());
    smarm::this_actor::yield();
    seen.note("waits");
    changed.notify_one();
    (void)waiter.join();
  });
  CHECK_LIST(seen.all(), {"waits", "notified"});
}

// ---- misuse

BOOST_AUTO_TEST_CASE(a_wait_without_the_mutex_is_refused) {
  std::vector<boost::system::error_code> said;
  smarm::mutex m;
  smarm::condition_variable changed;
  std::unique_lock lock(m, std::defer_lock);
  said.push_back(refusal([&] { changed.wait(lock); }));
  lock.lock();
  smarm::run([&] { said.push_back(refusal([&] { (void)changed.wait_for(lock, 1h); })); });
  BOOST_TEST(said.size() == 2u);
  for (const auto& code : said) {
    BOOST_TEST((code == boost::system::errc::operation_not_permitted));
  }
}

BOOST_AUTO_TEST_CASE(in_scheduler_context_a_wait_is_refused_with_the_mutex_held) {
  recorder seen;
  boost::system::error_code said;
  smarm::mutex m;
  smarm::condition_variable changed;
  smarm::run([&] {
    smarm::this_actor::run_on_thread_stack([&] {
      std::unique_lock lock(m);
      said = refusal([&] { changed.wait(lock); });
      seen.note(held(m));
    });
  });
  BOOST_TEST((said == errc::would_block_scheduler));
  CHECK_LIST(seen.all(), {"held"});
}

BOOST_AUTO_TEST_SUITE_END()
