// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The timer wheel. Two facts carry it. A node's place is a function of its tick and the position
// alone, so a cancel finds the slot without having stored it. And the position only ever moves to
// a tick that no armed node precedes, past no slot that is in use: so the first used slot of the
// first used level holds the earliest node, and a slot needs to be spread only when the position
// enters it.

#include <smarm/detail/timer_wheel.hpp>

#include <boost/intrusive/circular_list_algorithms.hpp>

#include <algorithm>
#include <bit>
#include <limits>

namespace smarm::detail {

struct timer_node_traits {
  using node = timer_node;
  using node_ptr = timer_node*;
  using const_node_ptr = const timer_node*;

  static node_ptr get_next(const_node_ptr node) noexcept { return node->next_; }
  static void set_next(node_ptr node, node_ptr next) noexcept { node->next_ = next; }
  static node_ptr get_previous(const_node_ptr node) noexcept { return node->previous_; }
  static void set_previous(node_ptr node, node_ptr before) noexcept { node->previous_ = before; }
};

namespace {

using list = boost::intrusive::circular_list_algorithms<timer_node_traits>;

constexpr std::int64_t tick_ns = 1000;
constexpr std::uint64_t last_tick = std::numeric_limits<std::int64_t>::max() / tick_ns;

constexpr std::uint64_t round_down(std::int64_t ns) noexcept {
  return ns <= 0 ? 0 : static_cast<std::uint64_t>(ns / tick_ns);
}

// Up, so that nothing fires before its time.
constexpr std::uint64_t round_up(std::int64_t ns) noexcept {
  return ns <= 0 ? 0 : static_cast<std::uint64_t>(ns / tick_ns) + (ns % tick_ns != 0);
}

} // namespace

timer_wheel::timer_wheel(std::int64_t now_ns) noexcept : position_(round_down(now_ns)) {
  static_assert(round_up(std::numeric_limits<std::int64_t>::max()) >> (slot_bits * levels) == 0);
  for (auto& level : heads_) {
    for (auto& head : level) list::init_header(&head);
  }
}

void timer_wheel::arm(timer_node& node, std::int64_t deadline_ns) noexcept {
  SMARM_ASSERT(!node.armed());
  node.tick_ = std::max(round_up(deadline_ns), position_);
  insert(node);
  ++size_;
}

bool timer_wheel::cancel(timer_node& node) noexcept {
  if (!node.armed()) return false;
  remove(node, place_of(node.tick_));
  return true;
}

timer_node* timer_wheel::expire(std::int64_t now_ns) noexcept {
  // Clocks read before the lock was taken may come in the wrong order.
  const std::uint64_t now = std::max(round_down(now_ns), position_);
  while (used_levels_ != 0) {
    const place first = first_place();
    timer_node& head = heads_[first.level][first.slot];
    if (first.level == 0) {
      if (head.tick_ > now) break;
      timer_node* due = head.next_;
      position_ = due->tick_;
      remove(*due, first);
      return due;
    }
    const unsigned shift = slot_bits * first.level;
    if (head.tick_ >> shift > now >> shift) break; // the slot does not begin before now
    position_ = std::min(head.tick_, now);
    spread(first);
  }
  position_ = now;
  return nullptr;
}

std::int64_t timer_wheel::next_deadline_ns() const noexcept {
  if (used_levels_ == 0) return no_deadline;
  const place first = first_place();
  const std::uint64_t tick = heads_[first.level][first.slot].tick_;
  return tick > last_tick ? no_deadline : static_cast<std::int64_t>(tick) * tick_ns;
}

timer_node* timer_wheel::take_any() noexcept {
  if (used_levels_ == 0) return nullptr;
  const place first = first_place();
  timer_node* node = heads_[first.level][first.slot].next_;
  remove(*node, first);
  return node;
}

timer_wheel::place timer_wheel::place_of(std::uint64_t tick) const noexcept {
  const auto highest = static_cast<unsigned>(std::bit_width((tick ^ position_) | (slots - 1))) - 1;
  const unsigned level = highest / slot_bits;
  return {level, static_cast<unsigned>(tick >> (slot_bits * level)) % slots};
}

timer_wheel::place timer_wheel::first_place() const noexcept {
  const auto level = static_cast<unsigned>(std::countr_zero(used_levels_));
  return {level, static_cast<unsigned>(std::countr_zero(used_slots_[level]))};
}

void timer_wheel::insert(timer_node& node) noexcept {
  const place at = place_of(node.tick_);
  timer_node& head = heads_[at.level][at.slot];
  if (list::unique(&head) || node.tick_ < head.tick_) head.tick_ = node.tick_;
  list::link_before(&head, &node);
  used_slots_[at.level] |= std::uint64_t{1} << at.slot;
  used_levels_ |= 1u << at.level;
}

void timer_wheel::remove(timer_node& node, place from) noexcept {
  list::unlink(&node);
  list::init(&node);
  if (list::unique(&heads_[from.level][from.slot])) mark_empty(from);
  --size_;
}

void timer_wheel::mark_empty(place at) noexcept {
  used_slots_[at.level] &= ~(std::uint64_t{1} << at.slot);
  if (used_slots_[at.level] == 0) used_levels_ &= ~(1u << at.level);
}

// The position has entered the slot: its nodes belong to the levels below.
void timer_wheel::spread(place from) noexcept {
  timer_node& head = heads_[from.level][from.slot];
  timer_node* node = head.next_;
  list::init_header(&head);
  mark_empty(from);
  while (node != &head) {
    timer_node* next = node->next_;
    __builtin_prefetch(next); // on somebody's stack, untouched for long
    insert(*node);
    node = next;
  }
}

} // namespace smarm::detail
