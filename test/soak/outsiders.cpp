// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Plain threads that spawn, join, call and send; and blocking calls. All answers are right.

#include "workload.hpp"

#include <smarm/blocking.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/runtime.hpp>
#include <smarm/start_server.hpp>
#include <smarm/this_actor.hpp>

#include <chrono>
#include <thread>

namespace soak {
namespace {

using namespace std::chrono_literals;

class doubler : public smarm::gen_server<doubler> {
public:
  std::uint64_t handle_call(std::uint64_t n) const { return 2 * n; }
};

class outsiders final : public workload {
public:
  explicit outsiders(std::uint64_t seed) : workload("outsiders", seed) {}

  void run() override {
    const auto server = smarm::start_server<doubler>().value();
    const smarm::runtime_handle here = smarm::this_actor::get_runtime();
    std::vector<std::thread> threads;
    for (std::uint64_t who = 0; who < 2; ++who) {
      threads.emplace_back([this, server, here, own = chance(who)]() mutable {
        while (!ends()) {
          const std::uint64_t n = own();
          const auto answer = server.call(n, 1min);
          note(answer && *answer == 2 * n);
          std::uint64_t seen = 0;
          (void)here.spawn([&] { seen = n; }).join();
          note(seen == n);
          count_round();
        }
      });
    }
    std::mt19937_64 own = chance(99);
    while (!ends()) {
      const std::uint64_t n = own();
      note(smarm::blocking([n] { return n + 1; }) == n + 1);
      count_round();
    }
    smarm::blocking([&] {
      for (std::thread& t : threads) {
        t.join();
      }
    });
  }

  std::string broken() const override {
    return wrong_ == 0 ? std::string() : std::to_string(wrong_) + " answers were wrong";
  }

private:
  void note(bool right) noexcept { wrong_.fetch_add(!right, std::memory_order_relaxed); }

  std::atomic<std::uint64_t> wrong_{0};
};

} // namespace

std::unique_ptr<workload> make_outsiders(std::uint64_t seed) {
  return std::make_unique<outsiders>(seed);
}

} // namespace soak
