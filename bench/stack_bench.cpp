// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What stacks cost: to get one that is warm, one from the pool, a new one and one of another shape;
// to touch it first; to hold many, in memory and page tables; and to go round among many.

#include "bench.hpp"

#include <smarm/detail/context.hpp>
#include <smarm/detail/stack.hpp>
#include <smarm/detail/stack_cache.hpp>
#include <smarm/detail/stack_pool.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace smarm::detail;
using smarm_bench::scaled;

constexpr std::size_t kib = 1024;

// A figure in KiB of /proc/self/status ("VmRSS", "VmPTE").
double status_kib(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.compare(0, name.size() + 1, name + ":") == 0) {
      return std::stod(line.substr(name.size() + 1));
    }
  }
  return 0;
}

const char* name_of(guard_method method) {
  return method == guard_method::mapping ? "mapping" : "guard_region";
}

void warm() {
  stack_pool pool;
  stack_cache cache(pool);
  cache.release(cache.acquire().value());
  const auto ops = scaled(2'000'000);
  smarm_bench::report("stack_cache", 1, "-", static_cast<double>(ops), [&] {
    for (std::uint64_t i = 0; i < ops; ++i) {
      stack* const on = cache.try_acquire();
      smarm_bench::keep(on);
      cache.release(on);
    }
  });
  const auto pool_ops = scaled(500'000);
  smarm_bench::report("stack_pool", 1, "-", static_cast<double>(pool_ops), [&] {
    for (std::uint64_t i = 0; i < pool_ops; ++i) pool.release(pool.acquire().value());
  });
  // More at a time than the cache holds: half of them go to the pool and come back.
  constexpr std::size_t burst = 2 * stack_cache::capacity;
  const auto rounds = scaled(20'000);
  std::vector<stack*> taken(burst);
  smarm_bench::report("stack_spill", 1, "burst=" + std::to_string(burst),
                      static_cast<double>(rounds * burst), [&] {
                        for (std::uint64_t i = 0; i < rounds; ++i) {
                          for (stack*& on : taken) on = cache.acquire().value();
                          for (stack* on : taken) cache.release(on);
                        }
                      });
}

void fresh(guard_method method) {
  const std::size_t count = scaled(20'000);
  std::vector<stack*> taken(count);
  std::unique_ptr<stack_pool> pool;
  const auto drop = [&] {
    if (pool) pool->release_pooled(taken.data(), count);
    pool.reset();
  };
  // The end of the previous pool is part of each run: making and unmaking.
  smarm_bench::report("stack_fresh", 1, std::string("guard=") + name_of(method),
                      static_cast<double>(count), [&] {
                        drop();
                        pool = std::make_unique<stack_pool>(stack_pool::options{
                            .guard = method, .warm = count});
                        for (stack*& on : taken) on = pool->acquire().value();
                      });
  drop();
}

// Pages are touched one after the other, as a first tenant does; given back after each run.
void first_touch() {
  constexpr std::size_t pages = 2;
  const std::size_t count = scaled(20'000);
  stack_pool pool({.warm = count});
  std::vector<stack*> taken(count);
  for (stack*& on : taken) on = pool.acquire().value();
  smarm_bench::report("stack_first_touch", 1, "pages=" + std::to_string(pages),
                      static_cast<double>(count), [&] {
                        for (stack* on : taken) {
                          on->discard_below(page_size());
                          for (std::size_t page = 1; page <= pages; ++page) {
                            auto* const at = on->top() - (page + 1) * page_size();
                            *static_cast<volatile std::byte*>(at) = std::byte{1};
                          }
                        }
                      });
  pool.release_pooled(taken.data(), count);
}

void other_shapes() {
  const stack_shape shape{1024 * kib, 64 * kib};
  const auto ops = scaled(20'000);
  for (const std::size_t spare : {std::size_t{64}, std::size_t{0}}) {
    stack_pool pool({.spare = spare});
    smarm_bench::report("stack_other_shape", 1, "spare=" + std::to_string(spare),
                        static_cast<double>(ops), [&] {
                          for (std::uint64_t i = 0; i < ops; ++i) {
                            pool.release(pool.acquire(shape).value());
                          }
                        });
  }
}

// Each of many contexts waits in its entry: what one costs to keep.
void entry(transfer_t from) {
  for (;;) from = jump(from.fctx, nullptr);
}

void memory(std::size_t reserve) {
  if (!smarm_bench::selected("stack_memory")) return;
  const std::size_t count = scaled(200'000);
  const double rss = status_kib("VmRSS");
  const double tables = status_kib("VmPTE");
  stack_pool pool({.shape = {reserve, 64 * kib}, .warm = count});
  std::vector<stack*> taken;
  taken.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    stack* const on = pool.acquire().value();
    on->context = jump(make_context(*on, &entry), nullptr).fctx;
    taken.push_back(on);
  }
  const double each = 1024.0 / static_cast<double>(count);
  char extra[96];
  std::snprintf(extra, sizeof extra, "rss_bytes=%.0f;page_table_bytes=%.0f",
                (status_kib("VmRSS") - rss) * each, (status_kib("VmPTE") - tables) * each);
  smarm_bench::line("stack_memory", 1, "reserve_kib=" + std::to_string(reserve / kib), 0, 0,
                    static_cast<double>(count), extra);
  pool.release_pooled(taken.data(), taken.size());
}

// Resume and yield, in random order: what matters then is how lines and pages collide.
void round_trip(std::size_t count) {
  stack_pool pool({.warm = count});
  struct actor {
    fcontext_t context;
    stack* on;
  };
  std::vector<actor> actors(count);
  for (actor& a : actors) {
    a.on = pool.acquire().value();
    a.context = make_context(*a.on, &entry);
  }
  std::shuffle(actors.begin(), actors.end(), std::mt19937(7));
  const std::size_t rounds = std::max<std::size_t>(1, scaled(2'000'000) / count);
  smarm_bench::report("stack_round", 1, "stacks=" + std::to_string(count),
                      static_cast<double>(rounds * count), [&] {
                        for (std::size_t i = 0; i < rounds; ++i) {
                          for (actor& a : actors) a.context = jump(a.context, nullptr).fctx;
                        }
                      });
  for (actor& a : actors) pool.release(a.on);
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start(argc, argv);
#if SMARM_ASAN || SMARM_TSAN
  return 0; // they would have to be told of each switch
#endif
  warm();
  fresh(guard_method::automatic);
  fresh(guard_method::mapping);
  first_touch();
  other_shapes();
  memory(256 * kib);
  memory(64 * kib);
  for (const std::size_t count : {200u, 1'000u, 10'000u, 100'000u}) {
    round_trip(smarm_bench::quick() ? std::min<std::size_t>(count, 1'000) : count);
  }
}
