// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a timer wheel links: derive from it or embed it in what waits. A node is armed in one
// wheel at most, and whoever owns it cancels it, under that wheel's lock, before it goes away.

#ifndef SMARM_DETAIL_TIMER_NODE_HPP
#define SMARM_DETAIL_TIMER_NODE_HPP

#include <smarm/detail/config.hpp>

#include <cstdint>

namespace smarm::detail {

class timer_node {
public:
  timer_node() noexcept = default;
  timer_node(const timer_node&) = delete;
  timer_node& operator=(const timer_node&) = delete;
  ~timer_node() = default;

  // Read and written under the lock of the wheel.
  [[nodiscard]] bool armed() const noexcept { return next_ != nullptr; }

private:
  friend class timer_wheel;
  friend struct timer_node_traits;

  timer_node* next_ = nullptr;
  timer_node* previous_ = nullptr;
  std::uint64_t tick_ = 0; // microseconds
};

} // namespace smarm::detail

#endif
