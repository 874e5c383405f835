// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The slots of one runtime: an append-only table of segments that doubles and never moves, so that
// an index finds its slot without a lock. Segments come from a process-wide pool and go back to it;
// they are never unmapped, and the generations of their slots only grow. A waker that comes late,
// even after its runtime is gone, therefore still reads a slot, and fails its ticket there.

#ifndef SMARM_DETAIL_SLOT_TABLE_HPP
#define SMARM_DETAIL_SLOT_TABLE_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/detail/slot.hpp>
#include <smarm/error.hpp>

#include <boost/system/result.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace smarm::detail {

class slot_table;

// One run of slots with consecutive indices. All segments of a level have the same size and cover
// the same indices, so a slot keeps its index for life, whichever runtime it serves.
struct segment {
  slot* slots = nullptr;
  std::uint32_t first_index = 0;
  std::uint32_t size = 0;
  std::uint32_t constructed = 0; // slots that were ever handed out; under the owner's lock
  raw_lock lock{lock_class::channel}; // nests under the table's lock; guards the two below
  slot_table* owner = nullptr;
  slot* returned = nullptr; // given back from outside, for the owner to collect
  segment* next = nullptr; // in the pool
};

class slot_table {
public:
  // The largest number of slots a table can have: pids keep one index back for "no actor".
  static constexpr std::size_t max_capacity = 0xffff'fffe;

  explicit slot_table(std::size_t max_slots) noexcept;
  slot_table(const slot_table&) = delete;
  slot_table& operator=(const slot_table&) = delete;

  // Gives the segments to the pool. A slot that is still pinned by a handle stays as it is and is
  // skipped by the next owner of its segment.
  ~slot_table();

  // The slot of an index, or null where none was ever handed out. Wait-free.
  [[nodiscard]] slot* find(std::uint32_t index) const noexcept {
    const unsigned level = level_of(index);
    if (level >= segments_.size()) {
      return nullptr;
    }
    const segment* s = segments_[level].load(std::memory_order_acquire);
    if (s == nullptr || index - s->first_index >= s->size ||
        index >= used_.load(std::memory_order_acquire)) {
      return nullptr;
    }
    return &s->slots[index - s->first_index];
  }

  // Links up to `wanted` vacant slots by `next` and returns the first; null and errc in `error`
  // when there is none: too_many_actors, or out_of_memory when a segment cannot be mapped.
  [[nodiscard]] slot* take(std::size_t wanted, std::size_t& taken, errc& error) noexcept;

  // Takes back a list of vacant slots; the most recently given is handed out first.
  void give(slot* first, slot* last) noexcept;

  // Makes an ended slot vacant and takes it back, from a thread that does not run the slot's
  // runtime. That runtime may even be gone: then the slot waits in its segment for the next owner.
  static void give_from_outside(slot& s) noexcept;

  // Slots that indices may reach now; what the run queue has to have room for.
  [[nodiscard]] std::size_t capacity() const noexcept {
    return capacity_.load(std::memory_order_acquire);
  }
  // Slots that were ever handed out. Every live actor has an index below it.
  [[nodiscard]] std::size_t used() const noexcept { return used_.load(std::memory_order_acquire); }

private:
  static constexpr std::uint32_t first_level_size = 64;

  static constexpr unsigned level_of(std::uint32_t index) noexcept {
    return static_cast<unsigned>(std::bit_width(index / first_level_size));
  }
  bool open_next_segment() noexcept;
  slot* next_unused(errc& error) noexcept;
  slot* collect_returned() noexcept;

  // The bound on indices: those that are pinned by handles of a dead runtime do not count.
  [[nodiscard]] std::size_t limit() const noexcept {
    return std::min(max_slots_ + skipped_, max_capacity);
  }

  const std::size_t max_slots_;
  raw_lock lock_;
  std::size_t skipped_ = 0; // slots below used_ that are not ours; under lock_
  slot* free_ = nullptr;
  // Written under lock_, read by anybody: release publishes the constructed slots below it.
  std::atomic<std::uint32_t> used_{0};
  std::atomic<std::size_t> capacity_{0};
  std::array<std::atomic<segment*>, 27> segments_{};
};

} // namespace smarm::detail

#endif
