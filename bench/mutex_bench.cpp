// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What waiting for each other costs: a mutex that is free, one that is always held, conditions,
// semaphores, barriers. `mutex` has the parameters with which other runtimes are measured: the lock
// is free unless hold=1, where its owner yields while it holds it.

#include "in_runtime.hpp"

#include <smarm/barrier.hpp>
#include <smarm/condition_variable.hpp>
#include <smarm/mutex.hpp>
#include <smarm/semaphore.hpp>
#include <smarm/spawn.hpp>
#include <smarm/task_group.hpp>
#include <smarm/this_actor.hpp>

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace {

using smarm_bench::measure;
using smarm_bench::scaled;

// So many actors, each of which calls the body with its number; returns when all have ended.
template <class Body>
void in_actors(std::uint64_t count, Body body) {
  std::vector<smarm::join_handle> handles;
  for (std::uint64_t i = 0; i < count; ++i) {
    handles.push_back(smarm::spawn([i, &body] { body(i); }));
  }
  for (auto& h : handles) {
    (void)h.join();
  }
}

void mutex(bool hold) {
  const std::uint64_t actors = 8, n = scaled(hold ? 10'000 : 100'000);
  measure("mutex", hold ? "actors=8;hold=1;n=10000" : "actors=8;n=100000",
          static_cast<double>(actors * n), [&] {
            smarm::mutex m;
            std::uint64_t count = 0;
            in_actors(actors, [&](std::uint64_t) {
              for (std::uint64_t i = 0; i < n; ++i) {
                m.lock();
                ++count;
                if (hold) {
                  smarm::this_actor::yield();
                }
                m.unlock();
              }
            });
            smarm_bench::require(count == actors * n, "mutex");
          });
}

void timed_mutex() {
  const std::uint64_t n = scaled(1'000'000);
  measure("timed_mutex", "n=1000000", static_cast<double>(n), [&] {
    smarm::timed_mutex m;
    std::uint64_t count = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      count += m.try_lock_for(std::chrono::hours(1));
      m.unlock();
    }
    smarm_bench::require(count == n, "timed_mutex");
  });
}

// Two actors, one flag: each waits for the other's turn to end.
void condition_ping_pong() {
  const std::uint64_t n = scaled(200'000);
  measure("condition_ping_pong", "n=200000", static_cast<double>(n), [&] {
    smarm::mutex m;
    smarm::condition_variable changed[2];
    std::uint64_t turn = 0;
    in_actors(2, [&](std::uint64_t me) {
      for (std::uint64_t i = 0; i < n; ++i) {
        std::unique_lock lock(m);
        changed[me].wait(lock, [&] { return turn % 2 == me; });
        ++turn;
        lock.unlock();
        changed[1 - me].notify_one();
      }
    });
    smarm_bench::require(turn == 2 * n, "condition_ping_pong");
  });
}

void semaphore(bool waits) {
  const std::uint64_t n = scaled(waits ? 200'000 : 1'000'000);
  if (!waits) {
    measure("semaphore", "n=1000000", static_cast<double>(n), [&] {
      smarm::counting_semaphore<> places(1);
      for (std::uint64_t i = 0; i < n; ++i) {
        places.acquire();
        places.release();
      }
    });
    return;
  }
  measure("semaphore_ping_pong", "n=200000", static_cast<double>(n), [&] {
    smarm::binary_semaphore turn[2] = {smarm::binary_semaphore(1), smarm::binary_semaphore(0)};
    in_actors(2, [&](std::uint64_t me) {
      for (std::uint64_t i = 0; i < n; ++i) {
        turn[me].acquire();
        turn[1 - me].release();
      }
    });
  });
}

void barrier() {
  const std::uint64_t actors = 8, n = scaled(20'000);
  measure("barrier", "actors=8;n=20000", static_cast<double>(actors * n), [&] {
    smarm::barrier phase(static_cast<std::ptrdiff_t>(actors));
    in_actors(actors, [&](std::uint64_t) {
      for (std::uint64_t i = 0; i < n; ++i) {
        phase.arrive_and_wait();
      }
    });
  });
}

void task_group() {
  const std::uint64_t n = scaled(200'000);
  measure("task_group", "limit=64;n=200000", static_cast<double>(n), [&] {
    smarm::task_group group(64);
    for (std::uint64_t i = 0; i < n; ++i) {
      group.spawn([] {});
    }
    group.wait();
  });
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start_with_threads(argc, argv);
  mutex(false);
  mutex(true);
  timed_mutex();
  condition_ping_pong();
  semaphore(false);
  semaphore(true);
  barrier();
  task_group();
}
