// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Mutexes: exclusion, order, hand-over, limits of time, stops, misuse; actors, threads and runtimes.

#define BOOST_TEST_MODULE mutex
#include <boost/test/unit_test.hpp>

#include "probe.hpp"
#include "recorder.hpp"
#include "tokens.hpp"
#include "travel.hpp"
#include "waiting.hpp"

#include <smarm/error.hpp>
#include <smarm/mutex.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>

#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;

namespace {

static_assert(noexcept(smarm::mutex{}));

constinit smarm::mutex at_namespace_scope;

} // namespace

BOOST_AUTO_TEST_SUITE(mutex_suite, *boost::unit_test::timeout(120))

// ---- what it is for

BOOST_AUTO_TEST_CASE(one_at_a_time_on_any_number_of_schedulers) {
  for (const unsigned schedulers : {1u, 2u, 4u, 5u}) {
    long count = 0;
    smarm::mutex m;
    smarm::config settings = quiet(schedulers);
    settings.wake_slot = schedulers == 5;
    smarm::runtime rt(settings);
    rt.run([&] {
      std::vector<smarm::join_handle> handles;
      for (int i = 0; i < 8; ++i) {
        handles.push_back(smarm::spawn([&, i] {
          for (int k = 0; k < 2000; ++k) {
            const std::scoped_lock guard(m);
            const long seen = count;
            if (k % 16 == i) {
              smarm::this_actor::yield();
            }
            count = seen + 1;
          }
        }));
      }
      join_all(handles);
    });
    BOOST_TEST(count == 16000);
  }
}

BOOST_AUTO_TEST_CASE(who_waits_suspends_only_itself) {
  recorder seen;
  smarm::mutex m;
  smarm::run([&] {
    m.lock();
    auto waiter = waiting([&] {
      const std::scoped_lock guard(m);
      seen.note("waiter");
    });
    (void)smarm::spawn([&] { seen.note("somebody else"); }).join();
    m.unlock();
    (void)waiter.join();
  });
  CHECK_LIST(seen.all(), {"somebody else", "waiter"});
}

BOOST_AUTO_TEST_CASE(waiters_are_served_in_the_order_in_which_they_came) {
  recorder seen;
  smarm::mutex m;
  smarm::run([&] {
    m.lock();
    std::vector<smarm::join_handle> handles;
    for (int i = 0; i < 5; ++i) {
      handles.push_back(waiting([&, i] {
        const std::scoped_lock guard(m);
        seen.note(std::to_string(i));
      }));
    }
    m.unlock();
    join_all(handles);
  });
  CHECK_LIST(seen.all(), {"0", "1", "2", "3", "4"});
}

BOOST_AUTO_TEST_CASE(who_waits_is_passed_over_for_one_waking_up_at_most) {
  recorder seen;
  smarm::mutex m;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    m.lock();
    auto waiter = waiting([&] {
      const std::scoped_lock guard(m);
      seen.note("waiter");
    });
    m.unlock(); // the waiter is to come, but has not run yet
    seen.note(m.try_lock() ? "got in" : "held");
    smarm::this_actor::yield(); // it comes too late
    m.unlock();                 // and is the owner now, though it has not run yet
    seen.note(m.try_lock() ? "got in" : "held");
    m.lock();
    seen.note("again");
    m.unlock();
    (void)waiter.join();
  });
  CHECK_LIST(seen.all(), {"got in", "held", "waiter", "again"});
}

BOOST_AUTO_TEST_CASE(one_that_comes_too_late_keeps_its_place) {
  recorder seen;
  smarm::mutex m;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    m.lock();
    std::vector<smarm::join_handle> handles;
    for (int i = 0; i < 3; ++i) {
      handles.push_back(waiting([&, i] {
        const std::scoped_lock guard(m);
        seen.note(std::to_string(i));
      }));
    }
    m.unlock();
    m.lock(); // before the first one has come
    smarm::this_actor::yield();
    m.unlock();
    join_all(handles);
  });
  CHECK_LIST(seen.all(), {"0", "1", "2"});
}

BOOST_AUTO_TEST_CASE(one_that_is_woken_and_gives_up_wakes_the_next) {
  recorder seen;
  smarm::timed_mutex m;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    m.lock();
    auto first = waiting([&] { (void)m.try_lock_for(1h); });
    auto second = waiting([&] {
      const std::scoped_lock guard(m);
      seen.note("second");
    });
    m.unlock(); // the first is to come
    m.lock();   // but is too late,
    smarm::request_stop(first.id());
    (void)first.join(); // and does not want it any more
    m.unlock();
    (void)second.join();
  });
  CHECK_LIST(seen.all(), {"second"});
}

BOOST_AUTO_TEST_CASE(an_uncontended_lock_does_not_switch) {
  recorder seen;
  smarm::run([&] {
    smarm::timed_mutex m;
    auto other = smarm::spawn([&] { seen.note("other"); });
    for (int i = 0; i < 100; ++i) {
      m.lock();
      m.unlock();
      if (m.try_lock_for(1h)) {
        m.unlock();
      }
    }
    seen.note("locked");
    (void)other.join();
  });
  CHECK_LIST(seen.all(), {"locked", "other"});
}

BOOST_AUTO_TEST_CASE(it_may_be_held_across_a_change_of_thread) {
  std::vector<pid_t> on;
  smarm::mutex m;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    const std::scoped_lock guard(m);
    on.push_back(this_thread());
    move_on();
    on.push_back(this_thread());
  });
  BOOST_TEST(on.at(0) != on.at(1));
  BOOST_TEST(m.try_lock());
  m.unlock();
}

BOOST_AUTO_TEST_CASE(an_exception_of_the_owner_frees_it) {
  bool free = false;
  smarm::mutex m;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    auto owner = smarm::spawn([&] {
      const std::scoped_lock guard(m);
      smarm::this_actor::yield();
      throw std::runtime_error("in a section");
    });
    (void)owner.join();
    free = m.try_lock();
    m.unlock();
  });
  BOOST_TEST(free);
}

BOOST_AUTO_TEST_CASE(several_are_locked_at_once_without_a_deadlock) {
  int rounds = 0;
  smarm::mutex a;
  smarm::timed_mutex b;
  smarm::mutex c;
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    std::vector<smarm::join_handle> handles;
    for (int i = 0; i < 6; ++i) {
      handles.push_back(smarm::spawn([&, i] {
        for (int k = 0; k < 300; ++k) {
          if (i % 2 == 0) {
            const std::scoped_lock guard(a, b, c);
            smarm::this_actor::yield();
            ++rounds;
          } else {
            std::unique_lock second(c, std::defer_lock);
            std::unique_lock first(a, std::defer_lock);
            std::unique_lock third(b, std::defer_lock);
            std::lock(second, first, third);
            ++rounds;
          }
        }
      }));
    }
    join_all(handles);
  });
  BOOST_TEST(rounds == 1800);
}

BOOST_AUTO_TEST_CASE(it_can_be_a_global_without_an_initialiser) {
  const std::scoped_lock guard(at_namespace_scope);
  BOOST_TEST(!at_namespace_scope.try_lock());
}

BOOST_AUTO_TEST_CASE(the_last_to_use_it_may_destroy_it) {
  std::atomic<int> done{0};
  smarm::runtime rt(quiet(2));
  rt.run([&] {
    for (int i = 0; i < 3000; ++i) {
      auto m = std::make_unique<smarm::mutex>();
      m->lock();
      auto other = smarm::spawn([&] {
        m->lock();
        m->unlock();
        m.reset(); // while the other may still be on its way out of unlock
        ++done;
      });
      m->unlock();
      (void)other.join();
    }
  });
  BOOST_TEST(done == 3000);
}

// ---- threads and runtimes

BOOST_AUTO_TEST_CASE(plain_threads_and_actors_exclude_each_other) {
  long count = 0;
  smarm::timed_mutex m;
  const auto work = [&] {
    for (int k = 0; k < 3000; ++k) {
      if (k % 3 == 0) {
        while (!m.try_lock_for(1h)) {
        }
      } else {
        m.lock();
      }
      ++count;
      m.unlock();
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
  BOOST_TEST(count == 18000);
}

BOOST_AUTO_TEST_CASE(a_thread_waits_for_an_actor_and_an_actor_for_a_thread) {
  recorder seen;
  smarm::mutex m;
  std::atomic<bool> held{false};
  std::atomic<bool> unlock{false};
  std::thread thread([&] {
    m.lock();
    held = true;
    wait_until([&] { return unlock.load(); });
    seen.note("thread");
    m.unlock();
  });
  smarm::run([&] {
    until([&] { return held.load(); });
    auto actor = waiting([&] {
      m.lock();
      seen.note("actor");
      m.unlock();
    });
    unlock = true;
    (void)actor.join();
  });
  thread.join();
  CHECK_LIST(seen.all(), {"thread", "actor"});
}

BOOST_AUTO_TEST_CASE(two_runtimes_share_a_mutex) {
  long count = 0;
  smarm::mutex m;
  const auto run = [&] {
    smarm::runtime rt(quiet(2));
    rt.run([&] {
      std::vector<smarm::join_handle> handles;
      for (int i = 0; i < 4; ++i) {
        handles.push_back(smarm::spawn([&] {
          for (int k = 0; k < 1000; ++k) {
            const std::scoped_lock guard(m);
            const long seen = count;
            if (k % 8 == 0) {
              smarm::this_actor::yield();
            }
            count = seen + 1;
          }
        }));
      }
      join_all(handles);
    });
  };
  std::thread other(run);
  run();
  other.join();
  BOOST_TEST(count == 8000);
}

BOOST_AUTO_TEST_CASE(outside_a_runtime_it_blocks_the_thread) {
  recorder seen;
  smarm::timed_mutex m;
  m.lock();
  std::atomic<bool> tried{false};
  std::thread other([&] {
    seen.note(m.try_lock_for(1ms) ? "got it" : "gave up");
    tried = true;
    m.lock();
    seen.note("locked");
    m.unlock();
  });
  wait_until([&] { return tried.load(); });
  seen.note("unlocking");
  m.unlock();
  other.join();
  CHECK_LIST(seen.all(), {"gave up", "unlocking", "locked"});
}

BOOST_AUTO_TEST_SUITE_END()
