// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An actor that goes through waits of every kind, beside others that grant them, is stopped one step
// later in each round. Wherever that meets it, nothing is lost: locks are free, counts add up, and
// the others go on.

#define BOOST_TEST_MODULE stopped_anywhere
#include <boost/test/unit_test.hpp>

#include "waiting.hpp"

#include <smarm/condition_variable.hpp>
#include <smarm/mutex.hpp>
#include <smarm/semaphore.hpp>
#include <smarm/stop.hpp>
#include <smarm/task_group.hpp>
#include <smarm/this_actor.hpp>

#include <chrono>
#include <mutex>
#include <set>
#include <vector>

using namespace smarm_test;
using namespace std::chrono_literals;
using smarm::exit_kind;

namespace {

constexpr int steps = 120; // more than a way through everything takes

void yield_times(int n) {
  for (; n > 0; --n) {
    smarm::this_actor::yield();
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(stopped_anywhere_suite, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(locks_conditions_and_semaphores_stay_whole) {
  int whole = 0;
  std::set<int> ways; // how far the actor came
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (int step = 0; step < steps; ++step) {
      smarm::timed_mutex m;
      smarm::condition_variable changed;
      smarm::counting_semaphore<> places(0);
      int released = 0;
      int acquired = 0;
      int way = 0;
      bool done = false;
      auto victim = smarm::spawn([&] {
        for (;;) {
          {
            std::unique_lock lock(m, 24h);
            ++way;
            changed.wait(lock);
            ++way;
            (void)changed.wait_for(lock, 24h);
            ++way;
          }
          {
            const std::scoped_lock lock(m);
            ++way;
            smarm::this_actor::yield();
          }
          places.acquire();
          ++acquired;
          acquired += places.try_acquire_for(24h);
          ++way;
        }
      });
      auto granter = smarm::spawn([&] {
        while (!done) {
          m.lock();
          yield_times(2);
          changed.notify_one();
          m.unlock();
          smarm::this_actor::yield();
          if (places.try_acquire()) {
            --released; // taken back
          }
          places.release();
          ++released;
        }
      });
      yield_times(step);
      smarm::request_stop(victim.id());
      const bool stopped = victim.join().kind() == exit_kind::stopped;
      done = true;
      (void)granter.join();
      int left = 0;
      while (places.try_acquire()) {
        ++left;
      }
      const bool is_free = m.try_lock();
      if (is_free) {
        m.unlock();
      }
      whole += stopped && is_free && released == acquired + left;
      ways.insert(way);
    }
  });
  BOOST_TEST(whole == steps);
  BOOST_TEST(ways.size() >= 8u); // it was met at many places
}

BOOST_AUTO_TEST_CASE(groups_end_with_their_owner) {
  int whole = 0;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (int step = 0; step < steps; ++step) {
      int begun = 0;
      int ended = 0;
      auto owner = smarm::spawn([&] {
        for (;;) {
          smarm::task_group group(2);
          for (int i = 0; i < 5; ++i) {
            group.spawn([&, i] {
              struct counted {
                int& ended;
                ~counted() { ++ended; }
              };
              ++begun;
              const counted end{ended};
              yield_times(i);
            });
          }
          group.wait();
        }
      });
      yield_times(step);
      smarm::request_stop(owner.id());
      whole += owner.join().kind() == exit_kind::stopped && begun == ended;
    }
  });
  BOOST_TEST(whole == steps);
}

BOOST_AUTO_TEST_SUITE_END()
