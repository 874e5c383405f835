// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who monitors hears of each end once; names are one actor's at a time, and free when it has ended.

#include "workload.hpp"

#include <smarm/channel.hpp>
#include <smarm/monitor.hpp>
#include <smarm/name.hpp>
#include <smarm/registry.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/task_group.hpp>
#include <smarm/this_actor.hpp>

#include <chrono>

namespace soak {
namespace {

inline constexpr smarm::name<int> the_name{"soak"};

class observers final : public workload {
public:
  explicit observers(std::uint64_t seed) : workload("observers", seed) {}

  void run() override {
    smarm::task_group all;
    for (std::uint64_t who = 0; who < 4; ++who) {
      all.spawn({.label = "observer"}, [this, who] {
        std::mt19937_64 own = chance(who);
        while (!ends()) {
          observe(own);
          count_round();
        }
      });
    }
    all.wait();
  }

  std::string broken() const override {
    if (monitored_ != told_) {
      return std::to_string(monitored_) + " monitors, " + std::to_string(told_) + " were told";
    }
    return shared_ == 0 ? std::string() : "a name had two holders";
  }

private:
  void observe(std::mt19937_64& chance) {
    auto one = smarm::spawn([this] {
      auto [into, from] = smarm::channel<int>();
      if (smarm::register_name(the_name, std::move(into))) {
        shared_.fetch_add(holders_.fetch_add(1) != 0, std::memory_order_relaxed);
        smarm::this_actor::yield();
        holders_.fetch_sub(1);
        (void)smarm::unregister(the_name.text());
      }
      smarm::this_actor::yield();
    });
    std::vector<smarm::monitor_ref> watching;
    for (std::uint64_t i = 0; i < 1 + chance() % 4; ++i) {
      watching.push_back(smarm::monitor(one.id()));
      monitored_.fetch_add(1, std::memory_order_relaxed);
    }
    for (smarm::monitor_ref& m : watching) {
      told_.fetch_add(m.recv().has_value(), std::memory_order_relaxed);
    }
    (void)one.join();
  }

  std::atomic<std::uint64_t> monitored_{0}, told_{0}, shared_{0}, holders_{0};
};

} // namespace

std::unique_ptr<workload> make_observers(std::uint64_t seed) {
  return std::make_unique<observers>(seed);
}

} // namespace soak
