// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Limited waits for a mutex, and stops.

#define BOOST_TEST_MODULE timed_mutex
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "waiting.hpp"

#include <smarm/mutex.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <chrono>
#include <mutex>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::exit_kind;

BOOST_AUTO_TEST_SUITE(timed_mutex_suite, *boost::unit_test::timeout(120))

// ---- limits of time

BOOST_AUTO_TEST_CASE(a_limit_that_passes_leaves_the_mutex_with_its_owner) {
  std::vector<int> got;
  smarm::timed_mutex m;
  smarm::run([&] {
    m.lock();
    auto other = smarm::spawn([&] {
      got.push_back(m.try_lock_for(1ms));
      got.push_back(m.try_lock_until(std::chrono::steady_clock::now() + 1ms));
      got.push_back(m.try_lock_for(0s));
      got.push_back(m.try_lock_for(-1h));
    });
    (void)other.join();
    m.unlock();
    got.push_back(m.try_lock_for(0s));
    m.unlock();
  });
  CHECK_LIST(got, {false, false, false, false, true});
}

BOOST_AUTO_TEST_CASE(a_limit_is_no_longer_one_once_the_mutex_is_given) {
  std::vector<int> got;
  smarm::timed_mutex m;
  smarm::run([&] {
    m.lock();
    auto other = waiting([&] {
      got.push_back(m.try_lock_for(std::chrono::hours::max()));
      m.unlock();
    });
    m.unlock();
    (void)other.join();
  });
  CHECK_LIST(got, {true});
}

BOOST_AUTO_TEST_CASE(who_gives_up_is_passed_over) {
  recorder seen;
  smarm::timed_mutex m;
  smarm::run([&] {
    m.lock();
    auto first = waiting([&] { seen.note(m.try_lock_for(1ms) ? "got it" : "gave up"); });
    auto second = waiting([&] {
      const std::scoped_lock guard(m);
      seen.note("second");
    });
    (void)first.join();
    m.unlock();
    (void)second.join();
    seen.note(m.try_lock() ? "free" : "held");
    m.unlock();
  });
  CHECK_LIST(seen.all(), {"gave up", "second", "free"});
}

BOOST_AUTO_TEST_CASE(when_the_only_waiter_gave_up_an_unlock_frees_it) {
  bool free = false;
  smarm::timed_mutex m;
  smarm::run([&] {
    m.lock();
    (void)smarm::spawn([&] { (void)m.try_lock_for(1ms); }).join();
    m.unlock();
    free = m.try_lock();
    m.unlock();
  });
  BOOST_TEST(free);
}

// ---- stops

BOOST_AUTO_TEST_CASE(a_stop_does_not_end_a_wait_for_lock) {
  recorder seen;
  exit_kind how{};
  smarm::mutex m;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    m.lock();
    auto waiter = waiting([&] {
      m.lock();
      seen.note("owner");
      m.unlock();
      seen.note("unlocked");
      smarm::this_actor::yield();
      seen.note("not stopped");
    });
    smarm::request_stop(waiter.id());
    for (int i = 0; i < 10; ++i) {
      smarm::this_actor::yield();
    }
    seen.note(parked(waiter.id()) ? "waits" : "ended");
    m.unlock();
    how = waiter.join().kind();
  });
  CHECK_LIST(seen.all(), {"waits", "owner", "unlocked"});
  BOOST_TEST((how == exit_kind::stopped));
}

BOOST_AUTO_TEST_CASE(a_stop_ends_a_limited_wait_without_the_mutex) {
  recorder seen;
  exit_kind how{};
  smarm::timed_mutex m;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    m.lock();
    auto stopped = waiting([&] {
      (void)m.try_lock_for(24h);
      seen.note("went on");
    });
    auto second = waiting([&] {
      const std::scoped_lock guard(m);
      seen.note("second");
    });
    smarm::request_stop(stopped.id());
    how = stopped.join().kind();
    m.unlock();
    (void)second.join();
  });
  CHECK_LIST(seen.all(), {"second"});
  BOOST_TEST((how == exit_kind::stopped));
}

BOOST_AUTO_TEST_CASE(who_is_given_the_mutex_and_stopped_at_once_owns_it) {
  recorder seen;
  smarm::timed_mutex m;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (const bool stop_first : {false, true}) {
      m.lock();
      auto waiter = waiting([&] {
        if (m.try_lock_for(24h)) {
          seen.note("owner");
          m.unlock();
        }
        smarm::this_actor::yield();
        seen.note("not stopped");
      });
      if (stop_first) {
        smarm::request_stop(waiter.id());
        m.unlock(); // before it has run
      } else {
        m.unlock();
        smarm::request_stop(waiter.id());
      }
      (void)waiter.join();
      seen.note(m.try_lock() ? "free" : "lost");
      m.unlock();
    }
  });
  CHECK_LIST(seen.all(), {"owner", "free", "owner", "free"});
}

BOOST_AUTO_TEST_CASE(a_limited_lock_is_a_stop_point_even_if_the_mutex_is_free) {
  recorder seen;
  exit_kind how{};
  smarm::timed_mutex m;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto actor = smarm::spawn([&] {
      smarm::request_stop(smarm::this_actor::self());
      m.lock(); // none
      m.unlock();
      seen.note("here");
      (void)m.try_lock_for(0s);
      seen.note("not here");
    });
    how = actor.join().kind();
    seen.note(m.try_lock() ? "free" : "lost");
    m.unlock();
  });
  CHECK_LIST(seen.all(), {"here", "free"});
  BOOST_TEST((how == exit_kind::stopped));
}

BOOST_AUTO_TEST_CASE(a_destructor_locks_while_a_stop_unwinds) {
  recorder seen;
  exit_kind how{};
  smarm::mutex m;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    struct locks_at_the_end {
      smarm::mutex& m;
      recorder& seen;
      ~locks_at_the_end() {
        const std::scoped_lock guard(m);
        seen.note("locked");
      }
    };
    m.lock();
    auto actor = waiting([&] {
      const locks_at_the_end last{m, seen};
      smarm::this_actor::sleep_for(24h);
    });
    smarm::request_stop(actor.id());
    smarm::this_actor::yield();
    until([&] { return parked(actor.id()); }); // in its destructor
    seen.note("unlocking");
    m.unlock();
    how = actor.join().kind();
  });
  CHECK_LIST(seen.all(), {"unlocking", "locked"});
  BOOST_TEST((how == exit_kind::stopped));
}

BOOST_AUTO_TEST_CASE(a_masked_stop_does_not_end_a_limited_wait) {
  recorder seen;
  smarm::timed_mutex m;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    m.lock();
    auto actor = waiting([&] {
      const smarm::disable_stop masked;
      seen.note(m.try_lock_for(24h) ? "owner" : "gave up");
      m.unlock();
    });
    smarm::request_stop(actor.id());
    smarm::this_actor::yield();
    m.unlock();
    (void)actor.join();
  });
  CHECK_LIST(seen.all(), {"owner"});
}

BOOST_AUTO_TEST_CASE(actors_that_stop_themselves_leave_a_shared_mutex_usable) {
  int done = 0;
  bool free = false;
  smarm::mutex m;
  smarm::runtime rt(quiet(4));
  rt.run([&] {
    std::vector<smarm::join_handle> handles;
    for (int i = 0; i < 64; ++i) {
      handles.push_back(smarm::spawn([&, i] {
        if (i % 2 == 1) {
          smarm::request_stop(smarm::this_actor::self());
        }
        const std::scoped_lock guard(m);
        ++done;
        auto child = smarm::spawn([] {});
        (void)child.join(); // a stop point under the lock
      }));
    }
    join_all(handles);
    free = m.try_lock();
    m.unlock();
  });
  BOOST_TEST(done == 64);
  BOOST_TEST(free);
}

BOOST_AUTO_TEST_SUITE_END()
