// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Mutexes that are locked twice, where nothing may wait, by others, or for ever.

#define BOOST_TEST_MODULE mutex_misuse
#include <boost/test/unit_test.hpp>

#include "child_process.hpp"
#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/error.hpp>
#include <smarm/mutex.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>

#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;

BOOST_AUTO_TEST_SUITE(mutex_misuse_suite, *boost::unit_test::timeout(120))

// ---- misuse

BOOST_AUTO_TEST_CASE(the_owner_cannot_lock_it_again) {
  std::vector<boost::system::error_code> said;
  std::vector<int> got;
  smarm::timed_mutex m;
  const auto relock = [&] {
    const std::scoped_lock guard(m);
    said.push_back(refusal([&] { m.lock(); }));
    said.push_back(refusal([&] { (void)m.try_lock_for(24h); }));
    got.push_back(m.try_lock());
  };
  relock(); // a plain thread
  smarm::run([&] {
    relock();
    m.lock();
    auto waiter = waiting([&] { const std::scoped_lock guard(m); });
    said.push_back(refusal([&] { m.lock(); })); // and somebody waits
    m.unlock();
    (void)waiter.join();
  });
  BOOST_TEST(said.size() == 5u);
  for (const auto& code : said) {
    BOOST_TEST((code == errc::would_deadlock));
    BOOST_TEST((code == boost::system::errc::resource_deadlock_would_occur));
  }
  CHECK_LIST(got, {false, false});
}

BOOST_AUTO_TEST_CASE(in_scheduler_context_a_lock_that_would_wait_is_refused) {
  std::vector<boost::system::error_code> said;
  std::vector<int> got;
  smarm::timed_mutex m;
  smarm::run([&] {
    m.lock();
    smarm::this_actor::run_on_thread_stack([&] {
      said.push_back(refusal([&] { m.lock(); }));
      said.push_back(refusal([&] { (void)m.try_lock_for(1h); }));
      got.push_back(m.try_lock());
    });
    m.unlock();
    smarm::this_actor::run_on_thread_stack([&] {
      m.lock(); // need not wait
      got.push_back(true);
      m.unlock();
    });
  });
  BOOST_TEST(said.size() == 2u);
  for (const auto& code : said) {
    BOOST_TEST((code == errc::would_block_scheduler));
  }
  CHECK_LIST(got, {false, true});
}

#ifndef NDEBUG

template <class Body>
std::string last_words(Body body) {
  return in_child([&] {
           body();
           return 0;
         })
      .error;
}

BOOST_AUTO_TEST_CASE(debug_builds_notice_an_unlock_by_somebody_else) {
  BOOST_TEST(last_words([] {
               smarm::mutex m;
               m.lock();
               std::thread([&] { m.unlock(); }).join();
             }).find("somebody else than its owner") != std::string::npos);
  BOOST_TEST(last_words([] {
               smarm::mutex m;
               m.unlock();
             }).find("somebody else than its owner") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(debug_builds_notice_the_end_of_a_mutex_that_is_held) {
  BOOST_TEST(last_words([] {
               smarm::mutex m;
               m.lock();
             }).find("destroyed while somebody holds it") != std::string::npos);
}

#endif

// ---- owners that have ended

// The mutex names its owner by the slot; whoever waits later finds out that nobody is in it.
BOOST_AUTO_TEST_CASE(an_owner_that_has_ended_is_told_to_who_comes_later) {
  std::vector<boost::system::error_code> said;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    smarm::timed_mutex m;
    auto careless = smarm::spawn([&] { m.lock(); });
    (void)careless.join();
    said.push_back(refusal([&] { m.lock(); }));
    said.push_back(refusal([&] { (void)m.try_lock_for(1h); }));
    std::thread([&] { said.push_back(refusal([&] { m.lock(); })); }).join();
    const bool got = m.try_lock();
    said.push_back(got ? boost::system::error_code() : make_error_code(errc::empty));
    smarm::detail::mutex_access::core(m).unlock(); // or its destructor asserts
  });
  BOOST_TEST(said.size() == 4u);
  BOOST_TEST((said.at(0) == errc::owner_ended));
  BOOST_TEST((said.at(1) == errc::owner_ended));
  BOOST_TEST((said.at(2) == errc::owner_ended));
  BOOST_TEST((said.at(3) == errc::empty));
}

// The same slots, again and again, and owners that end at once after they have unlocked.
BOOST_AUTO_TEST_CASE(an_owner_that_unlocks_and_ends_is_never_taken_for_one_that_did_not) {
  int inside = 0;
  std::atomic<int> errors{0};
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    smarm::mutex m;
    std::vector<smarm::join_handle> pair;
    for (int i = 0; i < 20'000; ++i) {
      pair.push_back(smarm::spawn([&] {
        try {
          const std::scoped_lock guard(m);
          ++inside;
        } catch (const boost::system::system_error&) {
          ++errors;
        }
      }));
      if (pair.size() == 4) {
        join_all(pair);
        pair.clear();
      }
    }
  });
  BOOST_TEST(inside == 20'000);
  BOOST_TEST(errors == 0);
}

BOOST_AUTO_TEST_SUITE_END()
