// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What actors are used for rather than what they are made of: computing in parallel, recursing,
// yielding in a hot loop, failing, and being started while others keep the schedulers busy.

#include "in_runtime.hpp"

#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using smarm_bench::measure;
using smarm_bench::require;
using smarm_bench::scaled;

void join_all(std::vector<smarm::join_handle>& handles) {
  for (auto& h : handles) {
    (void)h.join();
  }
  handles.clear();
}

// ---- Computing ---------------------------------------------------------------------------------

bool is_prime(std::uint64_t n) {
  if (n < 3 || n % 2 == 0) {
    return n == 2;
  }
  for (std::uint64_t divisor = 3; divisor * divisor <= n; divisor += 2) {
    if (n % divisor == 0) {
      return false;
    }
  }
  return true;
}

// Each worker counts the primes of its share of [0, limit), by trial division; one op is a share.
void fan_out_compute(std::uint64_t workers) {
  const bool quick = smarm_bench::quick();
  const std::uint64_t limit = quick ? 10'000 : 200'000, primes = quick ? 1229 : 17'984;
  measure("fan_out_compute", "limit=200000;workers=" + std::to_string(workers),
          static_cast<double>(workers), [=] {
            std::vector<std::uint64_t> found(workers);
            std::vector<smarm::join_handle> handles;
            for (std::uint64_t w = 0; w < workers; ++w) {
              handles.push_back(smarm::spawn([&found, w, limit, workers] {
                std::uint64_t count = 0;
                for (auto n = limit * w / workers; n < limit * (w + 1) / workers; ++n) {
                  count += is_prime(n);
                }
                found[w] = count;
              }));
            }
            join_all(handles);
            std::uint64_t sum = 0;
            for (const std::uint64_t count : found) {
              sum += count;
            }
            require(sum == primes, "fan_out_compute");
          });
}

// One frame for each level, and a switch at the bottom, with all of them on the stack.
// A sanitizer's frames, and those that were not optimised, are several times as large.
#if defined(__OPTIMIZE__) && !SMARM_ASAN && !SMARM_TSAN
constexpr bool large_frames = false;
#else
constexpr bool large_frames = true;
#endif

SMARM_NOINLINE std::uint64_t recurse(std::uint64_t depth) {
  if (depth == 0) {
    smarm::this_actor::yield();
    return 1;
  }
  const std::uint64_t below = recurse(depth - 1);
  smarm_bench::keep(below); // no tail call
  return below;
}

void deep_recursion() {
  const std::uint64_t times = scaled(1000), depth = 500;
  measure("deep_recursion", "depth=500;n=1000", static_cast<double>(times), [=] {
    std::uint64_t result = 0;
    (void)smarm::spawn({.stack_size = large_frames ? 4U << 20 : 0U}, [&] {
      for (std::uint64_t i = 0; i < times; ++i) {
        result = recurse(depth);
      }
    }).join();
    require(result == 1, "deep_recursion");
  });
}

// ---- Switching ---------------------------------------------------------------------------------

void yield_in_hot_loop() {
  const std::uint64_t actors = 2, yields = scaled(500'000);
  measure("yield_in_hot_loop", "actors=2;yields=500000", static_cast<double>(actors * yields), [=] {
    std::vector<smarm::join_handle> handles;
    for (std::uint64_t a = 0; a < actors; ++a) {
      handles.push_back(smarm::spawn([yields] {
        for (std::uint64_t i = 0; i < yields; ++i) {
          smarm::this_actor::yield();
        }
      }));
    }
    join_all(handles);
  });
}

// ---- Lives -------------------------------------------------------------------------------------

// One op is an actor that throws, with its report and its join.
void actor_failures() {
  const std::uint64_t n = scaled(10'000);
  std::atomic<std::uint64_t> reports{0};
  smarm::config counting = smarm_bench::runtime_settings();
  counting.reports = [&reports](const smarm::report&) {
    reports.fetch_add(1, std::memory_order_relaxed);
  };
  measure(
      "actor_failures", "n=10000", static_cast<double>(n),
      [&] {
        reports = 0;
        std::vector<smarm::join_handle> handles;
        for (std::uint64_t i = 0; i < n; ++i) {
          handles.push_back(smarm::spawn([] { throw std::runtime_error("on purpose"); }));
        }
        std::uint64_t failed = 0;
        for (auto& h : handles) {
          failed += h.join() == smarm::exit_kind::failed;
        }
        require(failed == n && reports == n, "actor_failures");
      },
      counting);
}

// One op is an actor that does next to nothing, among some that are always ready.
void spawn_storm_busy() {
  const std::uint64_t n = scaled(10'000), background = 8;
  measure("spawn_storm_busy", "background=8;n=10000", static_cast<double>(n), [=] {
    std::atomic<bool> enough{false};
    std::vector<smarm::join_handle> busy, handles;
    for (std::uint64_t i = 0; i < background; ++i) {
      busy.push_back(smarm::spawn([&enough] {
        while (!enough.load(std::memory_order_relaxed)) {
          smarm::this_actor::yield();
        }
      }));
    }
    std::atomic<std::uint64_t> count{0};
    for (std::uint64_t i = 0; i < n; ++i) {
      handles.push_back(
          smarm::spawn([&count] { count.fetch_add(1, std::memory_order_relaxed); }));
    }
    join_all(handles);
    enough = true;
    join_all(busy);
    require(count == n, "spawn_storm_busy");
  });
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start_with_threads(argc, argv);
  fan_out_compute(8);
  fan_out_compute(64);
  deep_recursion();
  yield_in_hot_loop();
  actor_failures();
  spawn_storm_busy();
}
