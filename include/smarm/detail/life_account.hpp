// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who is alive, and the verdict that nobody is. Every scheduler counts the actors that were spawned
// and that ended on it, in plain counters of its own; a run is over when the two sums are equal and
// nobody else can come in.
//
//   The sums. Endings first. Whoever spawns is alive, so an ending that is seen makes every spawn of
//     that actor visible too; if the two sums are equal, every actor that is known has ended, and so
//     there is none that is not known.
//   Visitors. Others than actors that spawn, or that make an actor ready from outside, are counted
//     while they are at it. The verdict closes the door, waits until nobody is inside and looks
//     again; who comes afterwards is turned away. A waker from outside is let in in any case: the
//     actor that it makes ready is alive until then, so there can be no verdict yet, and the count
//     keeps the runtime from going before the waker is out of it.

#ifndef SMARM_DETAIL_LIFE_ACCOUNT_HPP
#define SMARM_DETAIL_LIFE_ACCOUNT_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/raw_lock.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace smarm::detail {

// Counters that others read; written by one thread with a plain load and store.
template <class Atomics>
class basic_counter {
public:
  void add(std::uint64_t n = 1) noexcept {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_release);
  }
  [[nodiscard]] std::uint64_t value() const noexcept {
    return value_.load(std::memory_order_acquire);
  }
  void reset() noexcept { value_.store(0, std::memory_order_relaxed); }

private:
  // Release and acquire only matter for `spawned` and `ended`, see above.
  typename Atomics::template atomic<std::uint64_t> value_{0};
};

using counter = basic_counter<std_atomics>;

template <class Atomics, class Lock>
class basic_life_account {
public:
  // ---- around a run

  // With two keep-alives, and the door still closed.
  void begin() noexcept {
    spawned_outside_.store(0, std::memory_order_relaxed);
    keep_alive_.store(wanted | starting, std::memory_order_relaxed);
    finished_.store(false, std::memory_order_relaxed);
  }
  void open_door() noexcept { closed_.store(false, std::memory_order_seq_cst); }
  // Nobody wants the run without actors any more; again and again if need be. True: it was the first
  // time, and the caller has to tell that the verdict may have changed.
  [[nodiscard]] bool release_keep_alive() noexcept {
    return (keep_alive_.fetch_and(~wanted, std::memory_order_seq_cst) & wanted) != 0;
  }
  // All is there that the run begins with; the caller has to tell that the verdict may have changed.
  // Before, the run does not end whoever may wait for that.
  void started() noexcept { keep_alive_.fetch_and(~starting, std::memory_order_seq_cst); }
  // Before the runtime may go.
  void await_visitors() const noexcept {
    while (visitors_.load(std::memory_order_acquire) != 0) {
      Atomics::give_way();
    }
  }

  // ---- those who are no actors; each enter needs its leave

  // False: the run is over, or not begun. It may come back to life if the verdict was in doubt.
  [[nodiscard]] bool enter() noexcept {
    visitors_.fetch_add(1, std::memory_order_seq_cst);
    return !closed_.load(std::memory_order_seq_cst);
  }
  // By a waker that holds the one entry of an actor of this runtime, before it uses it.
  void enter_as_waker() noexcept { visitors_.fetch_add(1, std::memory_order_seq_cst); }
  // The last touch. Releases what the visitor did to the verdict, and to the end of the runtime.
  void leave() noexcept { visitors_.fetch_sub(1, std::memory_order_release); }
  // Inside, before the actor is published.
  void spawned_outside() noexcept { spawned_outside_.fetch_add(1, std::memory_order_release); }

  // ---- the verdict

  // A range of pointers to what has the counters `spawned` and `ended`.
  template <class Schedulers>
  [[nodiscard]] bool all_ended(const Schedulers& schedulers) const noexcept {
    std::uint64_t ended = 0;
    for (const auto& s : schedulers) {
      ended += s->ended.value();
    }
    std::uint64_t spawned = spawned_outside_.load(std::memory_order_acquire);
    for (const auto& s : schedulers) {
      spawned += s->spawned.value();
    }
    return spawned == ended;
  }

  // By a scheduler that found nothing to do. True: all have ended, and stays so.
  template <class Schedulers>
  [[nodiscard]] bool finished(const Schedulers& schedulers) noexcept {
    if (finished_.load(std::memory_order_acquire)) {
      return true;
    }
    if (keep_alive_.load(std::memory_order_seq_cst) != 0 || !all_ended(schedulers)) {
      return false;
    }
    // Visitors from here on are turned away; those that were let in before may still spawn.
    const std::lock_guard guard(verdict_lock_);
    closed_.store(true, std::memory_order_seq_cst);
    while (visitors_.load(std::memory_order_seq_cst) != 0) {
      Atomics::give_way();
    }
    if (!all_ended(schedulers)) {
      closed_.store(false, std::memory_order_seq_cst);
      return false;
    }
    finished_.store(true, std::memory_order_release);
    return true;
  }

  [[nodiscard]] std::uint64_t count_spawned_outside() const noexcept {
    return spawned_outside_.load(std::memory_order_relaxed);
  }

protected: // the model tests derive their mutations
  // Threads that are inside; written by each of them. Sequentially consistent with closed_: a visitor
  // is counted and then looks at the door, the verdict closes the door and then looks at the count.
  typename Atomics::template atomic<std::uint32_t> visitors_{0};
  // Written by the verdict under its lock, and at the beginning of a run.
  typename Atomics::template atomic<bool> closed_{true};
  // Written once a run; release, for what the last visitor did.
  typename Atomics::template atomic<bool> finished_{false};
  // Written by who waits for the end and by who began. Sequentially consistent with the coordinator's
  // fences: the verdict sees it cleared, or whoever clears it sees a sleeper.
  static constexpr std::uint32_t wanted = 1, starting = 2;
  typename Atomics::template atomic<std::uint32_t> keep_alive_{0};
  // Written by visitors; see all_ended.
  typename Atomics::template atomic<std::uint64_t> spawned_outside_{0};
  Lock verdict_lock_;
};

using life_account = basic_life_account<std_atomics, raw_lock>;

} // namespace smarm::detail

#endif
