// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What every bench is made of: run a piece of work several times and print one line,
//
//   BENCH,smarm,<workload>,<threads>,<params>,<median_us>,<min_us>,<ops>,<ns_per_op>,<extra>
//
// ns_per_op is the median over ops. A bench starts with smarm_bench::start(argc, argv), which takes
// `--quick` (a run so short that a test can afford it) and names of workloads to select.

#ifndef SMARM_BENCH_BENCH_HPP
#define SMARM_BENCH_BENCH_HPP

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace smarm_bench {

struct settings {
  bool quick = false;
  int repetitions = 11;
  std::vector<std::string> only;
};

inline settings& current() {
  static settings s;
  return s;
}

inline void start(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--quick") {
      current().quick = true;
      current().repetitions = 2;
    } else {
      current().only.emplace_back(argument);
    }
  }
}

[[nodiscard]] inline bool quick() { return current().quick; }

// So many operations in earnest, a two-hundredth of them in a quick run.
[[nodiscard]] inline std::uint64_t scaled(std::uint64_t ops) {
  return quick() ? std::max<std::uint64_t>(1, ops / 200) : ops;
}

[[nodiscard]] inline bool selected(const std::string& workload) {
  const auto& only = current().only;
  return only.empty() || std::find(only.begin(), only.end(), workload) != only.end();
}

// A bench that computes a wrong sum has measured nothing.
inline void require(bool right, const char* what) {
  if (!right) {
    std::fprintf(stderr, "bench: wrong result in %s\n", what);
    std::_Exit(EXIT_FAILURE);
  }
}

// Keeps the compiler from dropping a result or from moving work across this point.
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

[[nodiscard]] inline double cpu_us() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  const auto us = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec);
  };
  return us(use.ru_utime) + us(use.ru_stime);
}

inline void line(const std::string& workload, unsigned threads, const std::string& params,
                 double median_us, double min_us, double ops, const std::string& extra) {
  std::printf("BENCH,smarm,%s,%u,%s,%.1f,%.1f,%.0f,%.2f,%s\n", workload.c_str(), threads,
              params.empty() ? "-" : params.c_str(), median_us, min_us, ops, median_us * 1e3 / ops,
              extra.empty() ? "-" : extra.c_str());
  std::fflush(stdout);
}

// In microseconds. What f returns is destroyed when its time has been taken.
template <class F>
[[nodiscard]] double time_of(F& f) {
  using clock = std::chrono::steady_clock;
  const auto begin = clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double, std::micro>(clock::now() - begin).count();
  };
  if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
    f();
    return passed();
  } else {
    const auto made = f();
    return passed();
  }
}

// f() performs `ops` operations; one run to warm up, then the timed repetitions.
template <class F>
void report(const std::string& workload, unsigned threads, const std::string& params, double ops,
            F&& f, const std::string& extra = {}) {
  if (!selected(workload)) {
    return;
  }
  std::vector<double> wall;
  (void)time_of(f);
  const double cpu = cpu_us();
  for (int i = 0; i < current().repetitions; ++i) {
    wall.push_back(time_of(f));
  }
  char used[48];
  std::snprintf(used, sizeof used, "cpu_ns_op=%.1f",
                (cpu_us() - cpu) * 1e3 / ops / current().repetitions);
  std::sort(wall.begin(), wall.end());
  line(workload, threads, params, wall[wall.size() / 2], wall.front(), ops,
       extra.empty() ? used : used + (";" + extra));
}

} // namespace smarm_bench

#endif
