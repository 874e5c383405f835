// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Everything that happens in an actor's life, at random and all at once, on more schedulers than
// there are processors: spawns, joins with and without deadlines, sleeps, yields, stops of others
// and of oneself, masked waits, detached handles, and stops and spawns from outside. At the end
// every life must be accounted for.

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
using random = std::minstd_rand;

std::atomic<long> started{0};
std::atomic<long> destroyed{0};

struct life {
  life() { ++started; }
  life(const life&) = delete;
  life& operator=(const life&) = delete;
  ~life() { ++destroyed; }
};

// Pids that anybody may stop; stale ones are part of the test.
class targets {
public:
  void put(std::size_t at, smarm::pid p) {
    const std::lock_guard guard(lock_);
    pids_[at % pids_.size()] = p;
  }
  smarm::pid get(std::size_t at) {
    const std::lock_guard guard(lock_);
    return pids_[at % pids_.size()];
  }

private:
  std::mutex lock_; // held for a copy only, never across a wait
  std::vector<smarm::pid> pids_ = std::vector<smarm::pid>(1024);
};

void live(random pick, int depth, targets& known) {
  const life counted;
  known.put(pick(), smarm::this_actor::self());
  for (int step = 0; step < 20; ++step) {
    switch (pick() % 9) {
    case 0: smarm::this_actor::yield(); break;
    case 1: smarm::this_actor::sleep_for(std::chrono::microseconds(pick() % 300)); break;
    case 2: (void)smarm::request_stop(known.get(pick())); break;
    case 3: (void)smarm::request_shutdown(known.get(pick())); break;
    case 4: {
      const smarm::disable_stop calm;
      smarm::this_actor::sleep_for(std::chrono::microseconds(pick() % 100));
      break;
    }
    case 5:
      if (depth > 0) {
        auto child = smarm::spawn(
          [seed = pick(), depth, &known] { live(random(seed + 1), depth - 1, known); });
        if (pick() % 2 == 0) {
          (void)child.join();
        } else {
          (void)child.join_for(std::chrono::microseconds(pick() % 200));
        }
      }
      break;
    case 6: smarm::this_actor::checkpoint(); break;
    case 7:
      if (pick() % 50 == 0) {
        (void)smarm::request_stop(smarm::this_actor::self());
      }
      break;
    case 8:
      try {
        smarm::this_actor::yield();
        if (pick() % 100 == 0) {
          throw pick();
        }
      } catch (unsigned long) {
        smarm::this_actor::yield(); // in a catch block, to come back on another thread perhaps
      }
      break;
    }
  }
}

int run(unsigned schedulers, int rounds, unsigned seed) {
  std::atomic<long> reports{0};
  smarm::runtime rt({.schedulers = schedulers,
                     .reports = [&](const smarm::report&) { ++reports; }});
  targets known;
  std::atomic<bool> over{false};
  const smarm::runtime_handle outside = rt.handle();
  std::thread stranger([&] {
    random pick(seed + 7);
    while (!over) {
      (void)outside.request_stop(known.get(pick()));
      if (auto h = outside.try_spawn([&known, s = pick()] { live(random(s + 1), 1, known); })) {
        (void)h->join_for(std::chrono::microseconds(pick() % 100));
      }
    }
  });
  for (int round = 0; round < rounds; ++round) {
    rt.run([&, round] {
      random pick(seed + static_cast<unsigned>(round) + 1);
      std::vector<smarm::join_handle> all;
      for (int i = 0; i < 1000; ++i) {
        all.push_back(smarm::spawn([s = pick(), &known] { live(random(s + 1), 2, known); }));
      }
      const smarm::disable_stop finish_counting;
      for (auto& h : all) {
        (void)h.join();
      }
    });
  }
  over = true;
  stranger.join();
  const auto stats = rt.stats();
  std::printf("seed %u, %u schedulers: %ld lives, %ld ended, %ld reports, %llu switches\n", seed,
              schedulers, started.load(), destroyed.load(), reports.load(),
              static_cast<unsigned long long>(stats.switches));
  return started == destroyed && stats.spawned == stats.ended ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  // A sanitizer makes each take ten times as long.
  const int rounds = argc > 1 ? std::atoi(argv[1]) : SMARM_ASAN || SMARM_TSAN ? 1 : 3;
  const unsigned seed = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  return run(4, rounds, seed) | run(1, rounds, seed + 100);
}
