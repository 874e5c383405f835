// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Messages that timers send, of which half are cancelled. Each comes, or its cancel said true; never both, and
// never early.

#include "workload.hpp"

#include <smarm/channel.hpp>
#include <smarm/send_after.hpp>
#include <smarm/task_group.hpp>
#include <smarm/this_actor.hpp>
#include <smarm/timer_id.hpp>

#include <chrono>

namespace soak {
namespace {

using clock = std::chrono::steady_clock;

class reminders final : public workload {
public:
  explicit reminders(std::uint64_t seed) : workload("reminders", seed) {}

  void run() override {
    smarm::task_group all;
    for (std::uint64_t who = 0; who < 8; ++who) {
      all.spawn({.label = "reminded"}, [this, who] {
        std::mt19937_64 own = chance(who);
        while (!ends()) {
          once(own);
          count_round();
        }
      });
    }
    all.wait();
  }

  std::string broken() const override {
    if (armed_ != delivered_ + cancelled_) {
      return std::to_string(armed_) + " armed, " + std::to_string(delivered_) + " delivered, " +
             std::to_string(cancelled_) + " cancelled";
    }
    return early_ == 0 ? std::string() : std::to_string(early_) + " came early";
  }

private:
  void once(std::mt19937_64& chance) {
    auto [into, from] = smarm::channel<clock::time_point>();
    std::size_t expected = 0;
    for (int i = 0; i < 10; ++i) {
      const std::chrono::microseconds delay(chance() % 5000);
      const smarm::timer_id timer = smarm::send_after(delay, into, clock::now() + delay);
      armed_.fetch_add(1, std::memory_order_relaxed);
      if (chance() % 4 == 0) {
        smarm::this_actor::sleep_for(std::chrono::microseconds(chance() % 500));
      }
      if (chance() % 2 == 0 && smarm::cancel(timer)) {
        cancelled_.fetch_add(1, std::memory_order_relaxed);
      } else {
        ++expected;
      }
    }
    for (; expected > 0; --expected) { // a lost one makes the round last for ever
      const auto due = from.recv();
      early_.fetch_add(clock::now() < *due, std::memory_order_relaxed);
      delivered_.fetch_add(1, std::memory_order_relaxed);
    }
  }

  std::atomic<std::uint64_t> armed_{0}, delivered_{0}, cancelled_{0}, early_{0};
};

} // namespace

std::unique_ptr<workload> make_reminders(std::uint64_t seed) {
  return std::make_unique<reminders>(seed);
}

} // namespace soak
