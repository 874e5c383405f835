// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What it costs to find the right one of several servers: by a key, or whoever is idle. The workload call
// of server_bench.cpp is what a call costs without.

#include "in_runtime.hpp"

#include <smarm/gen_server.hpp>
#include <smarm/partition_supervisor.hpp>
#include <smarm/worker_pool.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace {

using namespace std::chrono_literals;
using smarm_bench::measure;
using smarm_bench::scaled;

class adder : public smarm::gen_server<adder> {
public:
  struct next {
    std::uint64_t to;
  };
  std::uint64_t handle_call(next m) const { return m.to + 1; }
};

// Starts it before the time is taken, and ends it afterwards.
template <class What, class Body>
void with_running(const char* workload, const std::string& params, std::uint64_t n,
                  const What& what, Body body) {
  if (!smarm_bench::selected(workload)) {
    return;
  }
  smarm::runtime rt(smarm_bench::runtime_settings());
  rt.run([&] {
    const auto running = what.start().value();
    smarm_bench::report(workload, smarm_bench::threads, params, static_cast<double>(n), [&] {
      for (std::uint64_t i = 0; i < n; ++i) {
        body(i);
      }
    });
    smarm_bench::require(running.shutdown(1min).has_value(), workload);
  });
}

void partitions() {
  const smarm::partition_supervisor<adder> adders({.partitions = 8});
  std::uint64_t n = scaled(1'000'000);
  with_running("for_key", "partitions=8;n=1000000", n, adders,
               [&](std::uint64_t i) { smarm_bench::keep(adders.for_key(i).id()); });
  n = scaled(200'000);
  with_running("partition_call", "partitions=8;n=200000", n, adders, [&](std::uint64_t i) {
    smarm_bench::require(adders.for_key(i).call(adder::next{i}).value() == i + 1, "partition_call");
  });
}

void pool() {
  const smarm::worker_pool<adder> adders({.size = 4});
  const std::uint64_t n = scaled(200'000);
  with_running("pool_call", "size=4;n=200000", n, adders, [&](std::uint64_t i) {
    smarm_bench::require(adders.call(adder::next{i}).value() == i + 1, "pool_call");
  });
  with_running("pool_check_out", "size=4;n=200000", n, adders,
               [&](std::uint64_t) { (void)adders.check_out().value(); });
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start_with_threads(argc, argv);
  partitions();
  pool();
}
