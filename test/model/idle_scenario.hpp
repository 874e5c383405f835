// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the scenarios about idle schedulers share: a coordinator over the explorer's policies, and
// work that stands in a queue everybody may take from, or behind one busy scheduler.

#ifndef SMARM_TEST_MODEL_IDLE_SCENARIO_HPP
#define SMARM_TEST_MODEL_IDLE_SCENARIO_HPP

#include "suite.hpp"

#include "mc_futex.hpp"

#include <smarm/detail/coordinator.hpp>

#include <array>
#include <cstdint>

namespace mc {

// Pauses of a search are bounded by its time, so they need not be scheduling points as well.
template <class Atomics>
struct without_pauses : Atomics {
  static void pause() {}
};

template <class Atomics = mc::atomics, class Rules = smarm::detail::idle_rules>
struct idle_scenario {
  using coordinator = smarm::detail::basic_coordinator<without_pauses<Atomics>, mc::futex, Rules>;

  idle_scenario(unsigned schedulers, const smarm::detail::idle_options& options)
    : coordinator_(schedulers, driver_, options) {}

  // Publishes as a queue does: by a store that may become visible late.
  void push(int item) { items_[item].store(1, std::memory_order_release); }
  void push_lone(int item) { lone_items_[item].store(1, std::memory_order_release); }
  void finish() { finished_.store(1, std::memory_order_release); }

  // Does not return before the item was taken by somebody.
  void wait_until_taken(int item) {
    mc::block([this, item] { return items_[item].load() == 2; });
  }
  void wait_until_lone_taken(int item) {
    mc::block([this, item] { return lone_items_[item].load() == 2; });
  }

  // One scheduler's view of the work.
  struct source {
    idle_scenario& scenario;
    int taken = -1;

    bool take(bool lone) noexcept {
      return take_from(scenario.items_, 0) || (lone && take_from(scenario.lone_items_, items));
    }
    bool pending(bool lone) const noexcept {
      return any(scenario.items_) || (lone && any(scenario.lone_items_));
    }
    bool finished() const noexcept {
      return scenario.ends_ && scenario.finished_.load(std::memory_order_acquire) != 0;
    }

  private:
    template <class Items>
    bool take_from(Items& from, int base) noexcept {
      for (int i = 0; i < (base == 0 ? scenario.items_in_use_ : scenario.lone_in_use_); ++i) {
        int present = 1;
        if (from[i].load(std::memory_order_acquire) == 1 &&
            from[i].compare_exchange_strong(present, 2)) {
          taken = base + i;
          return true;
        }
      }
      return false;
    }
    template <class Items>
    bool any(const Items& in) const noexcept {
      const bool common = &in[0] == &scenario.items_[0];
      for (int i = 0; i < (common ? scenario.items_in_use_ : scenario.lone_in_use_); ++i) {
        if (in[i].load(std::memory_order_acquire) == 1) {
          return true;
        }
      }
      return false;
    }
  };

  static constexpr int items = 2;
  mc::kernel kernel_;
  smarm::detail::basic_futex_driver<typename coordinator::parker_type> driver_;
  coordinator coordinator_;
  // 0 not there yet, 1 there, 2 taken.
  std::array<mc::atomic<int>, items> items_;
  std::array<mc::atomic<int>, 1> lone_items_;
  mc::atomic<int> finished_{0};
  // What a scenario does not use costs it no scheduling points.
  int items_in_use_ = 0;
  int lone_in_use_ = 0;
  bool ends_ = false;
};

} // namespace mc

#endif
