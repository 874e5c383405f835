// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One of the things that a soak does all the time, and what must hold of it.

#ifndef SMARM_SOAK_WORKLOAD_HPP
#define SMARM_SOAK_WORKLOAD_HPP

#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace soak {

class workload {
public:
  workload(std::string name, std::uint64_t seed) : name_(std::move(name)), seed_(seed) {}
  workload(const workload&) = delete;
  workload& operator=(const workload&) = delete;
  virtual ~workload() = default;

  // In an actor of its own; returns soon after it is told to end, with all that it has started.
  virtual void run() = 0;
  // When everything has ended: what did not hold, or nothing.
  [[nodiscard]] virtual std::string broken() const = 0;

  void end() noexcept { ends_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Grows for as long as it gets on.
  [[nodiscard]] std::uint64_t rounds() const noexcept {
    return rounds_.load(std::memory_order_relaxed);
  }

protected:
  [[nodiscard]] bool ends() const noexcept { return ends_.load(std::memory_order_relaxed); }
  void count_round() noexcept { rounds_.fetch_add(1, std::memory_order_relaxed); }
  // For one actor or thread of it.
  [[nodiscard]] std::mt19937_64 chance(std::uint64_t who) const {
    return std::mt19937_64(seed_ * 1'000'003 + who);
  }

private:
  const std::string name_;
  const std::uint64_t seed_;
  // Relaxed both: a flag that is seen in time, and a number for people.
  std::atomic<bool> ends_{false};
  std::atomic<std::uint64_t> rounds_{0};
};

using workloads = std::vector<std::unique_ptr<workload>>;

[[nodiscard]] std::unique_ptr<workload> make_accounts(std::uint64_t seed);
[[nodiscard]] std::unique_ptr<workload> make_crowds(std::uint64_t seed);
[[nodiscard]] std::unique_ptr<workload> make_echoes(std::uint64_t seed);
[[nodiscard]] std::unique_ptr<workload> make_observers(std::uint64_t seed);
[[nodiscard]] std::unique_ptr<workload> make_outsiders(std::uint64_t seed);
[[nodiscard]] std::unique_ptr<workload> make_pipes(std::uint64_t seed);
[[nodiscard]] std::unique_ptr<workload> make_reminders(std::uint64_t seed);

} // namespace soak

#endif
