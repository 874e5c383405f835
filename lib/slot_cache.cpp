// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/slot_cache.hpp>

#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/runtime_state.hpp>

#include <cstddef>
#include <utility>

namespace smarm::detail {
namespace {

slot* last_of(slot* list) noexcept {
  while (list->next != nullptr) {
    list = list->next;
  }
  return list;
}

} // namespace

// Small tables stay exact: no slot hides in a scheduler's list while another asks for one.
slot_cache::slot_cache(runtime_state& owner) noexcept
    : limit_(owner.settings.max_actors > 0xffff ? 256 : 0), owner_(owner) {}

slot* slot_cache::refill(errc& error) noexcept {
  const quiet_allocation quiet;
  std::size_t taken = 0;
  slot* first = owner_.slots.take(limit_ / 2 + 1, taken, error);
  if (first == nullptr) {
    return nullptr;
  }
  if (!owner_.reserve_queue()) {
    owner_.slots.give(first, last_of(first));
    error = errc::out_of_memory;
    return nullptr;
  }
  first_ = first->next;
  count_ = static_cast<unsigned>(taken - 1);
  return first;
}

void slot_cache::spill(slot& s) noexcept {
  // Half of the list goes with it, so that the next ones find room.
  slot* last = &s;
  s.next = nullptr;
  for (unsigned i = 0; i < limit_ / 2; ++i) {
    slot* more = first_;
    first_ = more->next;
    --count_;
    last->next = more;
    more->next = nullptr;
    last = more;
  }
  owner_.slots.give(&s, last);
}

void slot_cache::flush() noexcept {
  if (first_ != nullptr) {
    slot* const all = std::exchange(first_, nullptr);
    owner_.slots.give(all, last_of(all));
    count_ = 0;
  }
}

} // namespace smarm::detail
