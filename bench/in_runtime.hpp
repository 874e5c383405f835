// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// For benches whose work is done by actors: a runtime with as many schedulers as the option
// `--threads N` says, and inside one run of it the repetitions of bench.hpp.

#ifndef SMARM_BENCH_IN_RUNTIME_HPP
#define SMARM_BENCH_IN_RUNTIME_HPP

#include "bench.hpp"

#include <smarm/runtime.hpp>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smarm_bench {

inline unsigned threads = 1;

// As start, and takes --threads N.
inline void start_with_threads(int argc, char** argv) {
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--threads" && i + 1 < argc) {
      threads = static_cast<unsigned>(std::atoi(argv[++i]));
    } else {
      rest.push_back(argv[i]);
    }
  }
  start(static_cast<int>(rest.size()), rest.data());
}

[[nodiscard]] inline smarm::config runtime_settings() {
  return {.schedulers = threads, .max_actors = 4'000'000, .stack_size = 64 * 1024};
}

// Inside one run, as the other runtimes do it: starting threads is not what is measured.
template <class F>
void measure(const std::string& workload, const std::string& params, double ops, F&& body,
             smarm::config with = runtime_settings()) {
  if (!selected(workload)) {
    return;
  }
  smarm::runtime rt(std::move(with));
  rt.run([&] { report(workload, threads, params, ops, body); });
}

} // namespace smarm_bench

#endif
