// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a timer costs: arming and cancelling beside others that are armed, as a call with a timeout
// does, and arming and firing, as a sleep does. The clock is counted up, so nothing waits.

#include "bench.hpp"

#include <smarm/detail/timer_wheel.hpp>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using smarm::detail::timer_node;
using smarm::detail::timer_wheel;

constexpr std::int64_t us = 1000;
constexpr std::int64_t ms = 1000 * us;
constexpr std::int64_t second = 1000 * ms;

std::vector<std::int64_t> delays(std::size_t count, std::int64_t from, std::int64_t to) {
  std::mt19937_64 random(1);
  std::vector<std::int64_t> all(count);
  for (auto& delay : all) {
    delay = from + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(to - from));
  }
  return all;
}

// One timer after the other is armed for five seconds and cancelled, while the clock goes on.
void arm_and_cancel(std::size_t others) {
  const auto ops = smarm_bench::scaled(1'000'000);
  timer_wheel wheel(0);
  std::vector<timer_node> armed(others);
  const auto far = delays(others, ms, 60 * second);
  for (std::size_t i = 0; i < others; ++i) wheel.arm(armed[i], 3600 * second + far[i]);
  timer_node node;
  std::int64_t now = 0;
  smarm_bench::report("timer_wheel", 1, "arm_cancel;others=" + std::to_string(others), ops, [&] {
    std::uint64_t cancelled = 0;
    for (std::uint64_t i = 0; i < ops; ++i) {
      wheel.arm(node, now += 100 * us + 5 * second);
      cancelled += wheel.cancel(node);
      now -= 5 * second;
    }
    smarm_bench::require(cancelled == ops, "arm_cancel");
  });
  while (wheel.take_any()) {
  }
}

// All of many actors have a timeout running; each in turn, at random, gets what it waited for and
// waits again.
void rearm(std::size_t timers) {
  const auto ops = smarm_bench::scaled(1'000'000);
  std::vector<timer_node> nodes(timers);
  timer_wheel wheel(0);
  std::int64_t now = 0;
  for (auto& node : nodes) wheel.arm(node, 5 * second);
  std::vector<std::uint32_t> order(ops);
  std::mt19937_64 random(2);
  for (auto& index : order) index = static_cast<std::uint32_t>(random() % timers);
  smarm_bench::report("timer_wheel", 1, "rearm_random;timers=" + std::to_string(timers), ops, [&] {
    for (const std::uint32_t index : order) {
      now += 20;
      (void)wheel.cancel(nodes[index]);
      wheel.arm(nodes[index], now + 5 * second);
    }
  });
  while (wheel.take_any()) {
  }
}

// As many timers at once, each armed again when it fires; the clock goes where the wheel says.
void arm_and_expire(std::size_t timers, std::int64_t from, std::int64_t to) {
  const auto ops = smarm_bench::scaled(1'000'000);
  const auto delay = delays(1 << 16, from, to);
  std::vector<timer_node> nodes(timers);
  timer_wheel wheel(0);
  std::size_t next = 0;
  std::int64_t now = 0;
  for (auto& node : nodes) wheel.arm(node, delay[next++ % delay.size()]);
  const std::string params = "arm_expire;timers=" + std::to_string(timers) +
                             ";delay_us=" + std::to_string(from / us) + "-" +
                             std::to_string(to / us);
  std::uint64_t looks = 0;
  std::uint64_t fired = 0;
  smarm_bench::report("timer_wheel", 1, params, ops, [&] {
    for (std::uint64_t left = ops; left > 0; ++looks) {
      now = wheel.next_deadline_ns();
      while (timer_node* node = left > 0 ? wheel.expire(now) : nullptr) {
        wheel.arm(*node, now + delay[next++ % delay.size()]);
        --left;
        ++fired;
      }
    }
  });
  smarm_bench::require(wheel.size() == timers && fired >= ops && looks <= 2 * fired, "arm_expire");
  while (wheel.take_any()) {
  }
}

} // namespace

int main(int argc, char** argv) {
  smarm_bench::start(argc, argv);
  arm_and_cancel(0);
  arm_and_cancel(100'000);
  rearm(1'000);
  rearm(100'000);
  arm_and_expire(1, 10 * ms, 50 * ms);
  arm_and_expire(10'000, 10 * ms, 50 * ms);
  arm_and_expire(1'000'000, 10 * ms, 50 * ms);
  arm_and_expire(10'000, 1 * us, 3600 * second);
}
