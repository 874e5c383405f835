// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the runtime itself costs: lives, switches, timers, memory, and doing nothing. Workloads,
// parameters and columns are those that other runtimes are measured with, so that rows can stand in
// one table. Each workload is best run in a process of its own, as run.sh does.

#include "in_runtime.hpp"

#include <smarm/channel.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;
using smarm_bench::measure;
using smarm_bench::scaled;
using smarm_bench::threads;

std::int64_t nanoseconds_since(clock_type::time_point begin) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(clock_type::now() - begin).count();
}

// ---- Lives -------------------------------------------------------------------------------------

void chain(std::uint64_t n) {
  if (n > 1) {
    (void)smarm::spawn([n] { chain(n - 1); }).join();
  }
}

void chained_spawn() {
  const std::uint64_t n = 1000;
  measure("chained_spawn", "n=1000", n,
          [&] { (void)smarm::spawn([&] { chain(n); }).join(); });
}

void spawn_join() {
  const std::uint64_t n = scaled(100'000), batch = 1024;
  measure("spawn_join", "n=100000;batch=1024", static_cast<double>(n), [&] {
    std::atomic<std::uint64_t> count{0};
    std::vector<smarm::join_handle> handles;
    handles.reserve(batch);
    for (std::uint64_t done = 0; done < n; done += batch) {
      for (std::uint64_t i = 0; i < std::min(batch, n - done); ++i) {
        handles.push_back(
          smarm::spawn([&count] { count.fetch_add(1, std::memory_order_relaxed); }));
      }
      for (auto& h : handles) {
        (void)h.join();
      }
      handles.clear();
    }
    smarm_bench::require(count == n, "spawn_join");
  });
}

std::uint64_t skynet_node(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) {
    return first;
  }
  constexpr std::size_t children = 10;
  std::array<std::uint64_t, children> sums{};
  std::array<smarm::join_handle, children> handles;
  for (std::size_t i = 0; i < children; ++i) {
    handles[i] = smarm::spawn([&sums, i, first, leaves] {
      sums[i] = skynet_node(first + i * (leaves / children), leaves / children);
    });
  }
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < children; ++i) {
    (void)handles[i].join();
    sum += sums[i];
  }
  return sum;
}

void skynet(std::uint64_t leaves) {
  const std::uint64_t n = smarm_bench::quick() ? 1000 : leaves;
  measure("skynet", "leaves=" + std::to_string(leaves), static_cast<double>(n), [n] {
    std::uint64_t sum = 0;
    (void)smarm::spawn([&] { sum = skynet_node(0, n); }).join();
    smarm_bench::require(sum == n * (n - 1) / 2, "skynet");
  });
}

// ---- Switches ----------------------------------------------------------------------------------

void yield_many() {
  const std::uint64_t actors = 200, yields = scaled(1000);
  measure("yield_many", "actors=200;yields=1000", static_cast<double>(actors * yields), [&] {
    std::vector<smarm::join_handle> handles;
    for (std::uint64_t i = 0; i < actors; ++i) {
      handles.push_back(smarm::spawn([yields] {
        for (std::uint64_t k = 0; k < yields; ++k) {
          smarm::this_actor::yield();
        }
      }));
    }
    for (auto& h : handles) {
      (void)h.join();
    }
  });
}

// Three calls deep and from two places, which the return predictor does not forgive as easily.
SMARM_NOINLINE void deep(int depth, bool left) {
  if (depth > 0) {
    deep(depth - 1, left);
    asm volatile("");
  } else if (left) {
    smarm::this_actor::yield();
  } else {
    smarm::this_actor::yield();
  }
}

void yield_deep() {
  const std::uint64_t yields = scaled(200'000);
  measure("yield_deep", "actors=2;depth=3", static_cast<double>(2 * yields), [&] {
    auto loop = [yields](bool left) {
      return [yields, left] {
        for (std::uint64_t k = 0; k < yields; ++k) {
          deep(3, left != (k % 2 == 0));
        }
      };
    };
    auto a = smarm::spawn(loop(true));
    auto b = smarm::spawn(loop(false));
    (void)a.join();
    (void)b.join();
  });
}

// ---- Timers ------------------------------------------------------------------------------------

std::string quantiles(std::vector<std::int64_t> late, double over_ms) {
  std::sort(late.begin(), late.end());
  const auto at = [&](double q) {
    return static_cast<double>(late[static_cast<std::size_t>(q * double(late.size() - 1))]) / 1e3;
  };
  char text[96];
  std::snprintf(text, sizeof text, "over_ms=%.2f;late_p50_us=%.0f;late_p99_us=%.0f", over_ms,
                at(0.5), at(0.99));
  return text;
}

// With the default slack, and with that of those runtimes whose timers are whole milliseconds.
void many_timers(std::chrono::microseconds slack = {}) {
  if (!smarm_bench::selected("many_timers")) {
    return;
  }
  smarm::config settings = smarm_bench::runtime_settings();
  std::string params = "n=10000;lo=10;hi=50";
  if (slack.count() != 0) {
    settings.timer_slack = slack;
    params += ";slack_us=" + std::to_string(slack.count());
  }
  const std::uint64_t n = scaled(10'000);
  constexpr std::uint64_t low = 10, high = 50;
  smarm::runtime rt(settings);
  rt.run([&] {
    std::vector<double> wall;
    std::vector<std::int64_t> late;
    double cpu = 0;
    const int repetitions = smarm_bench::quick() ? 1 : 7;
    for (int r = -1; r < repetitions; ++r) {
      std::vector<std::int64_t> lateness(n);
      const double cpu_before = smarm_bench::cpu_us();
      const auto begin = clock_type::now();
      std::vector<smarm::join_handle> handles;
      for (std::uint64_t i = 0; i < n; ++i) {
        handles.push_back(smarm::spawn([&lateness, i] {
          const auto duration = std::chrono::milliseconds(low + i % (high - low + 1));
          const auto start = clock_type::now();
          smarm::this_actor::sleep_for(duration);
          lateness[i] =
            nanoseconds_since(start) - std::chrono::nanoseconds(duration).count();
        }));
      }
      for (auto& h : handles) {
        (void)h.join();
      }
      if (r >= 0) {
        wall.push_back(static_cast<double>(nanoseconds_since(begin)) / 1e3);
        cpu += smarm_bench::cpu_us() - cpu_before;
        late.insert(late.end(), lateness.begin(), lateness.end());
      }
    }
    std::sort(wall.begin(), wall.end());
    const double median = wall[wall.size() / 2];
    char used[48];
    std::snprintf(used, sizeof used, "cpu_ns_op=%.1f;",
                  cpu * 1e3 / static_cast<double>(n) / repetitions);
    smarm_bench::line("many_timers", threads, params, median, wall.front(),
                      static_cast<double>(n),
                      used + quantiles(late, median / 1e3 - double(high)));
  });
}

void timer_arm_cancel() {
  const std::uint64_t n = scaled(1'000'000);
  measure("timer_arm_cancel", "-", static_cast<double>(n), [n] {
    smarm::detail::timer_set& timers = smarm::detail::current_scheduler()->timers;
    const std::int64_t now = smarm::detail::monotonic_now();
    std::array<smarm::detail::timer, 64> ring;
    for (std::uint64_t i = 0; i < n; ++i) {
      auto& t = ring[i % ring.size()];
      if (i >= ring.size()) {
        (void)smarm::detail::timer_set::disarm(t);
      }
      (void)timers.arm(t, now + 1'000'000'000 + static_cast<std::int64_t>(i % 1000) * 1'000'000);
    }
    for (auto& t : ring) {
      (void)smarm::detail::timer_set::disarm(t);
    }
  });
}

// ---- Memory and doing nothing ------------------------------------------------------------------

std::int64_t resident_bytes() {
  long total = 0, resident = 0;
  if (std::FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%ld %ld", &total, &resident) != 2) {
      resident = 0;
    }
    std::fclose(f);
  }
  return static_cast<std::int64_t>(resident) * ::sysconf(_SC_PAGESIZE);
}

void memory(std::uint64_t n) {
  if (!smarm_bench::selected("memory")) {
    return;
  }
  const std::uint64_t actors = smarm_bench::quick() ? 1000 : n;
  smarm::runtime rt(smarm_bench::runtime_settings());
  rt.run([&] {
    const std::int64_t before = resident_bytes();
    const auto begin = clock_type::now();
    for (std::uint64_t i = 0; i < actors; ++i) {
      (void)smarm::spawn([] { smarm::this_actor::sleep_for(24h); });
      if (i % 1000 == 999) {
        smarm::this_actor::yield();
      }
    }
    smarm::this_actor::sleep_for(10ms); // until all are parked
    const double spawn_us = static_cast<double>(nanoseconds_since(begin)) / 1e3;
    const std::int64_t after = resident_bytes();
    char extra[96];
    std::snprintf(extra, sizeof extra, "bytes_per_actor=%.0f;rss_mib=%.0f",
                  static_cast<double>(after - before) / static_cast<double>(actors),
                  static_cast<double>(after) / 1048576.0);
    smarm_bench::line("memory", threads, "n=" + std::to_string(n), spawn_us, spawn_us,
                      static_cast<double>(actors), extra);
  });
}

void latency_line(const char* workload, std::vector<std::int64_t> ns) {
  std::sort(ns.begin(), ns.end());
  const auto at = [&](double q) {
    return static_cast<double>(ns[static_cast<std::size_t>(q * double(ns.size() - 1))]) / 1e3;
  };
  char extra[64];
  std::snprintf(extra, sizeof extra, "p99_us=%.1f;max_us=%.1f", at(0.99), at(1));
  smarm_bench::line(workload, threads, "n=1000;secs=3", at(0.5), at(0),
                    static_cast<double>(ns.size()), extra);
}

void idle(std::uint64_t n, int seconds) {
  if (!smarm_bench::selected("idle")) {
    return;
  }
  const auto whole = smarm_bench::quick() ? 50ms : std::chrono::milliseconds(seconds * 1000);
  const int samples = smarm_bench::quick() ? 5 : 1000;
  smarm::runtime rt(smarm_bench::runtime_settings());
  rt.run([&] {
    for (std::uint64_t i = 0; i < n; ++i) {
      (void)smarm::spawn([] { smarm::this_actor::sleep_for(24h); });
    }
    smarm::this_actor::sleep_for(whole / 10);
    const double before = smarm_bench::cpu_us();
    smarm::this_actor::sleep_for(whole);
    const double used = smarm_bench::cpu_us() - before;
    char extra[64];
    std::snprintf(extra, sizeof extra, "cpu_ms=%.2f;cpu_pct=%.2f", used / 1e3,
                  used / (static_cast<double>(whole.count()) * 10));
    smarm_bench::line("idle_cpu", threads, "n=1000;secs=3", used, used, static_cast<double>(n),
                      extra);

    std::vector<std::int64_t> late;
    for (int i = 0; i < samples; ++i) {
      const auto begin = clock_type::now();
      smarm::this_actor::sleep_for(1ms);
      late.push_back(nanoseconds_since(begin) - 1'000'000);
    }
    latency_line("wake_timer", late);

    std::vector<std::int64_t> woken;
    auto [bell, rings] = smarm::channel<clock_type::time_point>();
    std::thread ringer([samples, &to = bell] {
      for (int i = 0; i < samples; ++i) {
        std::this_thread::sleep_for(1ms);
        (void)to.send(clock_type::now());
      }
    });
    for (int i = 0; i < samples; ++i) {
      woken.push_back(nanoseconds_since(*rings.recv()));
    }
    ringer.join();
    latency_line("wake_external", woken);
  });
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start_with_threads(argc, argv);
  yield_many();
  yield_deep();
  chained_spawn();
  spawn_join();
  skynet(100'000);
  skynet(1'000'000);
  many_timers();
  many_timers(std::chrono::milliseconds(1));
  timer_arm_cancel();
  memory(100'000);
  memory(1'000'000);
  idle(1000, 3);
}
