// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Channels with and without a bound, taken from by select and with limits. What was sent was received, once.

#include "workload.hpp"

#include <smarm/bounded.hpp>
#include <smarm/channel.hpp>
#include <smarm/select.hpp>
#include <smarm/task_group.hpp>
#include <smarm/when.hpp>

#include <chrono>

namespace soak {
namespace {

using namespace std::chrono_literals;

class pipes final : public workload {
public:
  explicit pipes(std::uint64_t seed) : workload("pipes", seed) {}

  void run() override {
    std::mt19937_64 own = chance(0);
    while (!ends()) {
      once(own);
      count_round();
    }
  }

  std::string broken() const override {
    return sent_ == received_ ? std::string()
                              : "sent a sum of " + std::to_string(sent_) + ", received " +
                                    std::to_string(received_);
  }

private:
  void once(std::mt19937_64& chance) {
    auto [into_one, one] = smarm::channel<std::uint64_t>({.capacity = 1 + chance() % 8});
    auto [into_other, other] = smarm::channel<std::uint64_t>();
    {
      smarm::task_group senders;
      for (std::uint64_t i = 0; i < 4; ++i) {
        senders.spawn([this, a = into_one, b = into_other, n = chance() % 1000, i] {
          for (std::uint64_t k = 1; k <= n; ++k) {
            if ((i % 2 == 0 ? a.send(k) : b.send(k)).has_value()) {
              sent_.fetch_add(k, std::memory_order_relaxed);
            }
          }
        });
      }
      { // the senders have the only ones left
        const auto first = std::move(into_one);
        const auto second = std::move(into_other);
      }
      const auto add = [this](std::uint64_t k) { received_.fetch_add(k, std::memory_order_relaxed); };
      if (chance() % 2 == 0) {
        while (smarm::select(smarm::when(one, add), smarm::when(other, add))) {
        }
      } else {
        while (const auto k = one.recv()) {
          add(*k);
        }
        for (;;) {
          const auto k = other.recv_for(10us);
          if (k) {
            add(*k);
          } else if (k.error() != smarm::errc::timed_out) {
            break;
          }
        }
      }
      senders.wait();
    }
  }

  std::atomic<std::uint64_t> sent_{0}, received_{0};
};

} // namespace

std::unique_ptr<workload> make_pipes(std::uint64_t seed) { return std::make_unique<pipes>(seed); }

} // namespace soak
