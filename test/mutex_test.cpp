// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Mutexes: exclusion, order, hand-over, limits of time, stops, misuse; actors, threads and runtimes.

#define BOOST_TEST_MODULE mutex
#include <boost/test/unit_test.hpp>

#include "child_process.hpp"
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
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::errc;
using smarm::exit_kind;

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

BOOST_AUTO_TEST_CASE(nobody_gets_in_before_one_who_waits) {
  recorder seen;
  smarm::mutex m;
  smarm::run([&] {
    m.lock();
    auto waiter = waiting([&] {
      const std::scoped_lock guard(m);
      seen.note("waiter");
    });
    m.unlock(); // the waiter is the owner, though it has not run yet
    seen.note(m.try_lock() ? "got in" : "held");
    m.lock();
    seen.note("again");
    m.unlock();
    (void)waiter.join();
  });
  CHECK_LIST(seen.all(), {"held", "waiter", "again"});
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
