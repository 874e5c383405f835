// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Servers under a partition supervisor that add up numbers, and crash or are stopped all the time. What was
// acknowledged was added exactly once; what was not, at most once.

#include "workload.hpp"

#include <smarm/gen_server.hpp>
#include <smarm/partition_supervisor.hpp>
#include <smarm/stop.hpp>
#include <smarm/task_group.hpp>
#include <smarm/this_actor.hpp>

#include <array>
#include <chrono>
#include <stdexcept>

namespace soak {
namespace {

using namespace std::chrono_literals;

// Outlives the servers. Each is written by one server at a time, and by clients; relaxed, since they are read
// when all have ended.
struct account {
  std::atomic<std::uint64_t> added{0}, acknowledged{0}, unknown{0};
};

class keeper : public smarm::gen_server<keeper> {
public:
  struct add {
    bool crash_before = false, crash_after = false;
  };
  explicit keeper(account& of) : account_(of) {}

  void handle_call(add m) {
    if (m.crash_before) {
      throw std::runtime_error("before");
    }
    account_.added.fetch_add(1, std::memory_order_relaxed);
    if (m.crash_after) {
      throw std::runtime_error("after");
    }
  }

private:
  account& account_;
};

class accounts final : public workload {
public:
  explicit accounts(std::uint64_t seed) : workload("accounts", seed) {}

  void run() override {
    const auto keepers = smarm::partition_supervisor<keeper>::with_index(
        {.partitions = all_.size(),
         .child = {.id = "keeper"},
         .supervisor = {.intensity = 1'000'000'000, .period = 1s}},
        [this](std::size_t i) { return smarm::server<keeper>(std::ref(all_[i])); });
    const auto running = keepers.start().value();
    {
      smarm::task_group people;
      for (std::uint64_t who = 0; who < 16; ++who) {
        people.spawn({.label = "client"}, [&, who] { serve(keepers, chance(who)); });
      }
      people.spawn({.label = "killer"}, [&] { kill(keepers, chance(1000)); });
      people.wait();
    }
    (void)running.shutdown(1min);
  }

  std::string broken() const override {
    for (const account& a : all_) {
      if (a.added < a.acknowledged || a.added > a.acknowledged + a.unknown) {
        return "added " + std::to_string(a.added) + ", acknowledged " +
               std::to_string(a.acknowledged) + ", unknown " + std::to_string(a.unknown);
      }
    }
    return {};
  }

private:
  using keepers_type = smarm::partition_supervisor<keeper>;

  void serve(const keepers_type& keepers, std::mt19937_64 chance) {
    while (!ends()) {
      const std::size_t key = chance() % all_.size();
      const auto there = keepers.wait_for_index(key, 1min);
      if (!there) {
        continue;
      }
      const std::uint64_t crash = chance() % 256;
      const bool done =
          there->call(keeper::add{.crash_before = crash == 0, .crash_after = crash == 1}, 1min)
              .has_value();
      (done ? all_[key].acknowledged : all_[key].unknown).fetch_add(1, std::memory_order_relaxed);
      count_round();
    }
  }
  void kill(const keepers_type& keepers, std::mt19937_64 chance) {
    while (!ends()) {
      smarm::this_actor::sleep_for(std::chrono::microseconds(chance() % 3000));
      const smarm::pid victim = keepers[chance() % all_.size()].id();
      chance() % 2 == 0 ? smarm::request_stop(victim) : smarm::request_shutdown(victim);
    }
  }

  std::array<account, 8> all_;
};

} // namespace

std::unique_ptr<workload> make_accounts(std::uint64_t seed) {
  return std::make_unique<accounts>(seed);
}

} // namespace soak
