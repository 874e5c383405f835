// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the models of the inbox and of the bounded ring share: a registration whose copying is a
// scheduling point, and a place to sleep in which every registration has its own wake.

#ifndef SMARM_TEST_MODEL_RECEIVER_HPP
#define SMARM_TEST_MODEL_RECEIVER_HPP

#include "suite.hpp"

#include <cstdint>

namespace mc {

// Plain data in the product. Here others may run in the middle of each copy, so that one which is
// made too late, of a registration that is not the copier's, or of one that is being written,
// shows.
struct ticket {
  int number = 0;

  ticket() noexcept = default;
  explicit ticket(int n) noexcept : number(n) {}
  ticket(const ticket&) = default;
  ticket& operator=(const ticket& other) noexcept {
    ++other.readers_;
    ++writers_;
    if (auto* w = world::now()) w->point(access::anything, nullptr);
    require(other.writers_ == 0 && readers_ == 0 && writers_ == 1, "a registration is torn");
    number = other.number;
    --writers_;
    --other.readers_;
    return *this;
  }

private:
  mutable int readers_ = 0;
  int writers_ = 0;
};

// Wakes are matched: one that is meant for another wait does nothing.
class sleeper {
public:
  [[nodiscard]] ticket open_wait() { return ticket(++last_); }
  void sleep(const ticket& waiting) {
    mc::block(woken_, [n = waiting.number](std::uint64_t woken) { return (woken >> n & 1) != 0; });
  }
  void wake(const ticket& waiting) { woken_.fetch_or(std::uint64_t{1} << waiting.number); }

private:
  int last_ = 0;
  atomic<std::uint64_t> woken_{0};
};

// The channel's lock, for the list of blocked producers.
class lock {
public:
  void acquire() {
    while (held_.exchange(true)) {
      mc::block(held_, [](bool held) { return !held; });
    }
  }
  void release() { held_.store(false, std::memory_order_release); }

private:
  atomic<bool> held_{false};
};

} // namespace mc

#endif
