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

#include <smarm/barrier.hpp>
#include <smarm/channel.hpp>
#include <smarm/condition_variable.hpp>
#include <smarm/latch.hpp>
#include <smarm/mutex.hpp>
#include <smarm/select.hpp>
#include <smarm/selector.hpp>
#include <smarm/semaphore.hpp>
#include <smarm/send_after.hpp>
#include <smarm/stop.hpp>
#include <smarm/synchronized.hpp>
#include <smarm/task_group.hpp>
#include <smarm/this_actor.hpp>
#include <smarm/tick.hpp>
#include <smarm/when.hpp>

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

// Everything that receives and everything that sends: what the victim did not take is still there,
// and what it did not send did not come.
BOOST_AUTO_TEST_CASE(channels_and_selects_lose_nothing) {
  int whole = 0;
  std::set<int> ways;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (int step = 0; step < 2 * steps; ++step) {
      auto [to_a, a] = smarm::channel<int>();
      auto [to_b, b] = smarm::channel<int>(smarm::bounded{.capacity = 2});
      auto [to_out, out] = smarm::channel<int>(smarm::bounded{.capacity = 1});
      int fed = 0;
      int taken = 0;
      int sent = 0;
      int drained = 0;
      int way = 0;
      bool done = false;
      auto victim = smarm::spawn([&] {
        const auto any = [](int) { return true; };
        const auto take = [&](const auto& got) {
          taken += got.has_value();
          ++way;
        };
        const auto handler = [&](int) { ++taken; };
        const auto next = [&](std::size_t which) {
          take(which == 0 ? a.try_recv() : b.try_recv());
        };
        smarm::selector prepared(a, b);
        smarm::selector fair(smarm::selector::order::fair);
        fair.add(a);
        fair.add(b);
        for (;;) {
          take(a.recv());
          take(b.recv_for(24h));
          take(a.recv_match(any));
          take(b.recv_match_for(any, 24h));
          next(smarm::select(a, b));
          next(smarm::select_for(24h, b, a).value() == 0 ? 1 : 0);
          next(smarm::select_fair(a, b));
          next(prepared.wait());
          next(fair.wait_for(24h).value());
          (void)smarm::select(smarm::when(a, handler), smarm::when(b, handler));
          ++way;
          (void)smarm::select_fair(smarm::when(a, handler), smarm::when(b, handler));
          ++way;
          (void)smarm::select_for(24h, smarm::when(b, handler));
          ++way;
          for (int i = 0; i < 2; ++i) {
            sent += to_out.send(1).has_value();
            ++way;
            sent += to_out.send_for(1, 24h).has_value();
            ++way;
          }
        }
      });
      auto others = smarm::spawn([&] {
        int turn = 0;
        while (!done) {
          if (turn % 3 == 0) {
            fed += to_a.try_send(turn).has_value();
          } else if (turn % 3 == 1) {
            fed += to_b.try_send(turn).has_value();
          } else {
            drained += out.try_recv().has_value();
          }
          ++turn;
          smarm::this_actor::yield();
        }
      });
      yield_times(step);
      smarm::request_stop(victim.id());
      const bool stopped = victim.join().kind() == exit_kind::stopped;
      done = true;
      (void)others.join();
      int left = 0;
      while (a.try_recv() || b.try_recv()) {
        ++left;
      }
      while (out.try_recv()) {
        ++drained;
      }
      whole += stopped && fed == taken + left && sent == drained;
      ways.insert(way);
    }
  });
  BOOST_TEST(whole == 2 * steps);
  BOOST_TEST(ways.size() >= 16u);
}

// Who is stopped at a barrier and drops out in its destructor holds up nobody, and completes no phase
// on behalf of others.
BOOST_AUTO_TEST_CASE(barriers_latches_and_any_conditions_let_the_others_go_on) {
  int whole = 0;
  std::set<int> ways;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (int step = 0; step < steps; ++step) {
      int partner_phases = 0;
      int early = 0;
      int completed = 0;
      int way = 0;
      bool done = false;
      const auto at_end = [&]() noexcept {
        early += partner_phases < ++completed;
        smarm::this_actor::yield();
      };
      smarm::barrier phase(2, at_end);
      smarm::latch opened(1);
      smarm::mutex m;
      smarm::condition_variable_any changed;
      smarm::synchronized<int, smarm::timed_mutex> value(0);
      struct participant {
        decltype(phase)& of;
        ~participant() { of.arrive_and_drop(); }
      };
      auto victim = smarm::spawn([&] {
        const participant me{phase};
        for (;;) {
          phase.arrive_and_wait();
          ++way;
          opened.wait();
          ++way;
          {
            std::unique_lock lock(m);
            changed.wait(lock);
            ++way;
            (void)changed.wait_for(lock, 24h);
            ++way;
          }
          value.with_lock([&](int& n) {
            smarm::this_actor::yield();
            ++n;
          });
          ++way;
          auto child = smarm::spawn([] { yield_times(2); });
          (void)child.join_for(24h);
          ++way;
          smarm::this_actor::sleep_for(0s);
        }
      });
      auto partner = smarm::spawn([&] {
        for (int n = 0; n < 30; ++n) {
          ++partner_phases;
          phase.arrive_and_wait();
        }
        ++partner_phases;
        phase.arrive_and_drop();
      });
      auto granter = smarm::spawn([&] {
        yield_times(3);
        opened.count_down();
        while (!done) {
          changed.notify_one();
          value.with_lock([](int&) { smarm::this_actor::yield(); });
          smarm::this_actor::yield();
        }
      });
      yield_times(step);
      smarm::request_stop(victim.id());
      const bool stopped = victim.join().kind() == exit_kind::stopped;
      (void)partner.join();
      done = true;
      (void)granter.join();
      const bool is_free = m.try_lock() && value.try_lock();
      m.unlock();
      whole += stopped && is_free && early == 0 && partner_phases == 31;
      ways.insert(way);
    }
  });
  BOOST_TEST(whole == steps);
  BOOST_TEST(ways.size() >= 8u);
}

// The timers that it armed are its own: none outlives what it sends to.
BOOST_AUTO_TEST_CASE(ticks_and_timers_end_with_their_receiver) {
  int whole = 0;
  smarm::runtime rt(quiet(1));
  rt.run([&] {
    for (int step = 0; step < steps / 2; ++step) {
      auto victim = smarm::spawn([&] {
        auto [to, from] = smarm::channel<int>();
        (void)smarm::tick_every(50us, to, 1);
        for (;;) {
          (void)smarm::send_after(10us, to, 2);
          (void)from.recv();
          (void)from.recv_match_for([](int what) { return what == 1; }, 24h);
        }
      });
      yield_times(step);
      smarm::request_stop(victim.id());
      whole += victim.join().kind() == exit_kind::stopped;
      until([] { return this_runtime().stats().armed_timers == 0; });
    }
  });
  BOOST_TEST(whole == steps / 2);
}

BOOST_AUTO_TEST_SUITE_END()
