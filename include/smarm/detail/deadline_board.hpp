// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The earliest deadline of each timer wheel, and who sleeps towards the earliest of all. At most
// one sleeper is that timekeeper, so an expiry wakes one scheduler and not a herd.

#ifndef SMARM_DETAIL_DEADLINE_BOARD_HPP
#define SMARM_DETAIL_DEADLINE_BOARD_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/config.hpp>
#include <smarm/detail/deadline.hpp>
#include <smarm/detail/idle_set.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>

namespace smarm::detail {

template <class Atomics>
class basic_deadline_board {
public:
  explicit basic_deadline_board(unsigned wheels)
    : wheels_(wheels), next_(std::make_unique<line[]>(wheels)) {}

  // ---- the wheels' side; publish is called under the wheel's lock

  void publish(unsigned wheel, std::int64_t deadline) noexcept {
    next_[wheel].deadline.store(deadline, std::memory_order_relaxed);
  }
  [[nodiscard]] std::int64_t next(unsigned wheel) const noexcept {
    return next_[wheel].deadline.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::int64_t earliest() const noexcept {
    std::int64_t first = no_deadline;
    for (unsigned i = 0; i < wheels_; ++i) {
      first = std::min(first, next(i));
    }
    return first;
  }

  // After publish and a fence: whether the timekeeper would sleep past this deadline. While it is
  // still looking for the earliest one this says yes too often, never too seldom.
  [[nodiscard]] bool overslept(std::int64_t deadline) const noexcept {
    return deadline < armed_.load(std::memory_order_relaxed);
  }

  // ---- the sleepers' side

  [[nodiscard]] unsigned keeper() const noexcept { return keeper_.load(std::memory_order_acquire); }

  [[nodiscard]] bool try_keep(unsigned id) noexcept {
    unsigned seen = nobody;
    return keeper() == nobody &&
           keeper_.compare_exchange_strong(seen, id, std::memory_order_acq_rel,
                                           std::memory_order_relaxed);
  }
  // By the keeper: the deadline to sleep towards. The role is published before the wheels are
  // looked at, so who publishes a deadline too late to be seen here sees the role, and wakes.
  [[nodiscard]] std::int64_t arm() noexcept {
    Atomics::fence(std::memory_order_seq_cst);
    const std::int64_t deadline = earliest();
    armed_.store(deadline, std::memory_order_relaxed);
    return deadline;
  }
  // By the keeper, before it fires what is due: nobody shall count on a timekeeper that is awake.
  void resign() noexcept {
    armed_.store(no_deadline, std::memory_order_relaxed);
    keeper_.store(nobody, std::memory_order_release);
  }

private:
  struct alignas(line_pair) line {
    // Written under the wheel's lock, read by everybody; pairs by fences only, what it announces
    // is read under that lock.
    typename Atomics::template atomic<std::int64_t> deadline{no_deadline};
  };

  const unsigned wheels_;
  const std::unique_ptr<line[]> next_;

  // Written by the sleeper that takes and gives up the role. Its release covers armed_, so that a
  // later keeper is never seen with an earlier one's deadline.
  typename Atomics::template atomic<unsigned> keeper_{nobody};
  // Written by the keeper.
  typename Atomics::template atomic<std::int64_t> armed_{no_deadline};
};

} // namespace smarm::detail

#endif
