// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One thread at a time is inside an event loop. Busy schedulers look in if nobody is there. A sleeper
// has to get in: what happens in a loop that nobody is in wakes nobody. Where somebody is inside it
// announces itself and sleeps on its parker, and who leaves wakes it. One sleeper at a time does so.

#ifndef SMARM_DETAIL_REACTOR_GATE_HPP
#define SMARM_DETAIL_REACTOR_GATE_HPP

#include <atomic>
#include <cstdint>

namespace smarm::detail {

template <class Atomics, class Parker>
class basic_reactor_gate {
public:
  // True: the caller is inside.
  [[nodiscard]] bool try_enter() noexcept {
    std::uint32_t seen = state_.load(std::memory_order_relaxed);
    return seen == vacant && state_.compare_exchange_strong(seen, occupied,
                                                            std::memory_order_acquire,
                                                            std::memory_order_relaxed);
  }

  // True: the caller is inside. False: who is gives its parker a permit on the way out, unless the
  // caller withdraws before.
  [[nodiscard]] bool enter_or_announce(Parker& own) noexcept {
    sleeper_.store(&own, std::memory_order_relaxed);
    std::uint32_t seen = vacant;
    while (!state_.compare_exchange_weak(seen, seen == vacant ? occupied : awaited,
                                         std::memory_order_acq_rel, std::memory_order_relaxed)) {
    }
    return seen == vacant;
  }
  void withdraw() noexcept {
    std::uint32_t seen = awaited;
    (void)state_.compare_exchange_strong(seen, occupied, std::memory_order_relaxed,
                                         std::memory_order_relaxed);
  }

  // By who is inside; hands on what it did there.
  void leave() noexcept {
    if (state_.exchange(vacant, std::memory_order_acq_rel) == awaited) {
      sleeper_.load(std::memory_order_relaxed)->unpark();
    }
  }

private:
  static constexpr std::uint32_t vacant = 0, occupied = 1, awaited = 2;

  // Entering acquires what leaving released: the loop has one owner after the other. An announcement
  // releases sleeper_ to who leaves.
  typename Atomics::template atomic<std::uint32_t> state_{vacant};
  // Written by the sleeper. Who leaves may find a later one there: a permit for nothing, and the one
  // that it was meant for has gone on by itself.
  typename Atomics::template atomic<Parker*> sleeper_{nullptr};
};

} // namespace smarm::detail

#endif
