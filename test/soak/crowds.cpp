// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Crowds of actors that are spawned, spawn, wait, sleep, fail and are stopped. Each that began has ended, its
// destructors have run, and whoever joined it heard how.

#include "workload.hpp"

#include <smarm/channel.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <chrono>
#include <stdexcept>

namespace soak {
namespace {

class crowds final : public workload {
public:
  explicit crowds(std::uint64_t seed) : workload("crowds", seed) {}

  void run() override {
    std::mt19937_64 of_all = chance(0);
    while (!ends()) {
      std::vector<smarm::join_handle> crowd;
      const std::size_t size = 1 + of_all() % 200;
      for (std::size_t i = 0; i < size; ++i) {
        crowd.push_back(smarm::spawn([this, own = of_all()] { live(std::mt19937_64(own), 2); }));
        spawned_.fetch_add(1, std::memory_order_relaxed);
        if (of_all() % 8 == 0) {
          smarm::request_stop(crowd[of_all() % crowd.size()].id());
        }
      }
      for (smarm::join_handle& one : crowd) {
        smarm::request_stop(one.id()); // those that wait for ever, and some that end just now
        count(one.join());
      }
      count_round();
    }
  }

  std::string broken() const override {
    if (spawned_ != ended_) {
      return std::to_string(spawned_) + " spawned, " + std::to_string(ended_) + " ended";
    }
    if (constructed_ != destroyed_) {
      return std::to_string(constructed_) + " objects made, " + std::to_string(destroyed_) +
             " destroyed";
    }
    return {};
  }

private:
  struct object {
    crowds& of;
    explicit object(crowds& all) : of(all) {
      of.constructed_.fetch_add(1, std::memory_order_relaxed);
    }
    ~object() { of.destroyed_.fetch_add(1, std::memory_order_relaxed); }
  };

  void live(std::mt19937_64 chance, int depth) {
    const object mine(*this);
    switch (chance() % 6) {
    case 0: smarm::this_actor::yield(); break;
    case 1:
      smarm::this_actor::sleep_for(std::chrono::microseconds(chance() % 2000));
      break;
    case 2: { // nobody sends
      auto [into, from] = smarm::channel<int>();
      (void)from.recv();
      (void)into;
      break;
    }
    case 3: throw std::runtime_error("as planned");
    case 4:
      if (depth > 0) {
        spawned_.fetch_add(1, std::memory_order_relaxed);
        auto child = smarm::spawn([this, own = chance(), depth] {
          const end_counter counted{*this};
          live(std::mt19937_64(own), depth - 1);
        });
        smarm::request_stop(child.id());
      }
      break;
    default: break;
    }
  }
  // Of one that nobody joins. It may be stopped before it begins, and is counted all the same.
  struct end_counter {
    crowds& of;
    ~end_counter() { of.ended_.fetch_add(1, std::memory_order_relaxed); }
  };
  void count(const smarm::exit_status&) { ended_.fetch_add(1, std::memory_order_relaxed); }

  std::atomic<std::uint64_t> spawned_{0}, ended_{0}, constructed_{0}, destroyed_{0};
};

} // namespace

std::unique_ptr<workload> make_crowds(std::uint64_t seed) { return std::make_unique<crowds>(seed); }

} // namespace soak
