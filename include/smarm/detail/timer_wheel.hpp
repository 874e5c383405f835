// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A hierarchical timer wheel over intrusive nodes. Every scheduler keeps one, under its own lock;
// the node lies in whatever waits, so that arming and cancelling allocate nothing and take constant
// time. The wheel itself locks nothing and calls nobody: due nodes are handed out one by one, and
// what they stand for is done by the caller after it has let go of its lock.
//
// Time is cut into ticks of one microsecond, deadlines rounded up. There are nine levels of 64
// slots; a node lies on the level of the highest group of six bits in which its tick differs from
// the wheel's position, so all nodes of one tick share one slot at any time. Slots are queues,
// therefore equal ticks stay in the order in which they were armed, also when a slot is spread over
// the levels below it. Empty slots are skipped by bitmaps: a clock that jumps costs nothing.

#ifndef SMARM_DETAIL_TIMER_WHEEL_HPP
#define SMARM_DETAIL_TIMER_WHEEL_HPP

#include <smarm/detail/deadline.hpp>
#include <smarm/detail/timer_node.hpp>

#include <cstddef>
#include <cstdint>

namespace smarm::detail {

class timer_wheel {
public:
  explicit timer_wheel(std::int64_t now_ns) noexcept;
  ~timer_wheel() { SMARM_ASSERT(empty()); } // see take_any()

  timer_wheel(const timer_wheel&) = delete;
  timer_wheel& operator=(const timer_wheel&) = delete;

  // The node must not be armed. A deadline that lies behind what was handed out already counts as
  // due now, after everything that is due now; a deadline of no_deadline never comes.
  void arm(timer_node& node, std::int64_t deadline_ns) noexcept;

  // True if the node was armed: from here on nothing in the wheel refers to it.
  bool cancel(timer_node& node) noexcept;

  // The next node that is due, no longer armed, or null. Nodes come in the order of (deadline
  // rounded up, order of arming). Whoever arms a node that is due at once from what it does with
  // one that was handed out will get it in the same sweep: bound the sweep by size() at its start.
  [[nodiscard]] timer_node* expire(std::int64_t now_ns) noexcept;

  // When to look again: never later than the earliest deadline, and exactly that unless the
  // earliest timer of its slot was cancelled. Each fruitless look moves what is left down by a
  // level at least, so a lone timer costs at most eight of them however far away it is.
  [[nodiscard]] std::int64_t next_deadline_ns() const noexcept;

  // Any armed node, no longer armed, or null: empties the wheel at the end of a run.
  [[nodiscard]] timer_node* take_any() noexcept;

  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
  static constexpr unsigned slot_bits = 6;
  static constexpr unsigned slots = 1u << slot_bits;
  static constexpr unsigned levels = 9; // 54 bits of microseconds hold every 63 bits of nanoseconds

  struct place {
    unsigned level;
    unsigned slot;
  };

  [[nodiscard]] place place_of(std::uint64_t tick) const noexcept;
  [[nodiscard]] place first_place() const noexcept;
  void insert(timer_node& node) noexcept;
  void remove(timer_node& node, place from) noexcept;
  void mark_empty(place at) noexcept;
  void spread(place from) noexcept;

  std::uint64_t position_; // no armed node has an earlier tick
  std::size_t size_ = 0;
  std::uint32_t used_levels_ = 0;
  std::uint64_t used_slots_[levels] = {};

  // The head of each slot's circular list; its tick is a lower bound of the ticks in the list.
  timer_node heads_[levels][slots];
};

} // namespace smarm::detail

#endif
