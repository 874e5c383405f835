// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a select costs, over few arms and many: `parks` waits for each message, which comes to one arm
// after the other; `ready` finds the last of its arms ready each time.

#include "in_runtime.hpp"

#include <smarm/channel.hpp>
#include <smarm/selector.hpp>
#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

using smarm_bench::measure;
using smarm_bench::scaled;

struct inputs {
  std::vector<smarm::sender<std::uint64_t>> to;
  std::vector<smarm::receiver<std::uint64_t>> from;
  smarm::selector all;

  explicit inputs(std::size_t arms) {
    from.reserve(arms); // the selector refers to them
    for (std::size_t i = 0; i < arms; ++i) {
      auto [tx, rx] = smarm::channel<std::uint64_t>();
      to.push_back(std::move(tx));
      from.push_back(std::move(rx));
      all.add(from.back());
    }
  }
};

void parks(std::size_t arms) {
  const std::uint64_t n = scaled(100'000);
  measure("select", "parks;arms=" + std::to_string(arms) + ";n=100000", static_cast<double>(n),
          [arms, n] {
            inputs in(arms);
            auto sending = smarm::spawn([&in, arms, n] {
              for (std::uint64_t i = 0; i < n; ++i) {
                (void)in.to[i % arms].send(std::uint64_t{i});
                smarm::this_actor::yield();
              }
            });
            std::uint64_t sum = 0;
            for (std::uint64_t i = 0; i < n; ++i) {
              sum += *in.from[in.all.wait()].try_recv();
            }
            (void)sending.join();
            smarm_bench::require(sum == n * (n - 1) / 2, "select");
          });
}

void ready(std::size_t arms) {
  const std::uint64_t n = scaled(100'000);
  measure("select", "ready;arms=" + std::to_string(arms) + ";n=100000", static_cast<double>(n),
          [arms, n] {
            inputs in(arms);
            std::uint64_t sum = 0;
            for (std::uint64_t i = 0; i < n; ++i) {
              (void)in.to.back().send(std::uint64_t{i});
              sum += *in.from[in.all.wait()].try_recv();
            }
            smarm_bench::require(sum == n * (n - 1) / 2, "select");
          });
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start_with_threads(argc, argv);
  for (const std::size_t arms : {2U, 8U, 64U}) {
    parks(arms);
    ready(arms);
  }
}
