// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What messages cost that are sent later: arming and cancelling, as a request's time-out does, and
// arming, sending and receiving. The wheel alone is measured by wheel_bench.cpp.

#include "in_runtime.hpp"

#include <smarm/channel.hpp>
#include <smarm/send_after.hpp>
#include <smarm/tick.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using smarm_bench::measure;
using smarm_bench::scaled;

// Some are armed at any time.
void arm_and_cancel() {
  const std::uint64_t n = scaled(1'000'000);
  measure("send_after", "arm_cancel;armed=64", static_cast<double>(n), [n] {
    auto [tx, rx] = smarm::channel<std::uint64_t>();
    std::array<smarm::timer_id, 64> ring;
    std::uint64_t cancelled = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      auto& id = ring[i % ring.size()];
      cancelled += cancel(id);
      id = smarm::send_after(5s, tx, i);
    }
    for (const auto& id : ring) {
      cancelled += cancel(id);
    }
    smarm_bench::require(cancelled == n, "arm_cancel");
  });
}

// Due at once: what is measured is the way, not the waiting.
void deliver() {
  const std::uint64_t n = scaled(500'000), batch = 100;
  measure("send_after", "deliver;batch=100", static_cast<double>(n), [n] {
    auto [tx, rx] = smarm::channel<std::uint64_t>();
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < n; i += batch) {
      for (std::uint64_t k = 0; k < batch; ++k) {
        (void)smarm::send_after(0s, tx, i + k);
      }
      for (std::uint64_t k = 0; k < batch; ++k) {
        sum += *rx.recv();
      }
    }
    smarm_bench::require(sum == n * (n - 1) / 2, "deliver");
  });
}

// As fast as they can: a burst that never catches up. The processor's time is what counts, since
// between two portions nobody is in a hurry.
void ticks() {
  const std::uint64_t n = scaled(200'000);
  measure("tick_every", "period_ns=1;policy=burst", static_cast<double>(n), [n] {
    auto [tx, rx] = smarm::channel<std::uint64_t>();
    const auto id = smarm::tick_every(1ns, tx, std::uint64_t{1}, smarm::missed_tick::burst);
    std::uint64_t sum = 0;
    while (sum < n) {
      sum += *rx.recv();
    }
    smarm_bench::require(cancel(id), "tick_every");
  });
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start_with_threads(argc, argv);
  arm_and_cancel();
  deliver();
  ticks();
}
