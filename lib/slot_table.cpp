// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/slot_table.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

namespace smarm::detail {
namespace {

// The process-wide pool. Besides the signal handler this is the only state that outlives every
// runtime, and on purpose: a slot pointer must stay valid for whoever still holds one.
class segment_pool {
public:
  segment* take(unsigned level, std::uint32_t first_index, std::uint32_t size) noexcept {
    {
      const std::lock_guard guard(lock_);
      if (segment* s = free_[level]) {
        free_[level] = s->next;
        return s;
      }
    }
    void* memory = ::mmap(nullptr, size * sizeof(slot), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      return nullptr;
    }
    auto* s = new (std::nothrow) segment;
    if (s == nullptr) {
      ::munmap(memory, size * sizeof(slot));
      return nullptr;
    }
    s->slots = static_cast<slot*>(memory);
    s->first_index = first_index;
    s->size = size;
    return s;
  }

  void give(unsigned level, segment* s) noexcept {
    const std::lock_guard guard(lock_);
    s->next = free_[level];
    free_[level] = s;
  }

private:
  raw_lock lock_{lock_class::channel}; // nests under a table's lock
  std::array<segment*, 27> free_{};
};

segment_pool& pool() noexcept {
  // Never destroyed: a thread that outlives main may still give a slot back.
  static auto* const instance = new segment_pool;
  return *instance;
}

} // namespace

slot_table::slot_table(std::size_t max_slots) noexcept
    : max_slots_(std::min(max_slots, max_capacity)) {}

slot_table::~slot_table() {
  for (unsigned level = 0; level < segments_.size(); ++level) {
    segment* s = segments_[level].load(std::memory_order_relaxed);
    if (s == nullptr) {
      continue;
    }
    {
      const std::lock_guard guard(s->lock);
      s->owner = nullptr;
      s->returned = nullptr;
      for (std::uint32_t i = 0; i < s->constructed; ++i) {
        s->slots[i].runtime = nullptr;
      }
    }
    pool().give(level, s);
  }
}

bool slot_table::open_next_segment() noexcept {
  const std::size_t first = capacity_.load(std::memory_order_relaxed);
  if (first >= limit()) {
    return false;
  }
  const unsigned level = level_of(static_cast<std::uint32_t>(first));
  if (const segment* open = segments_[level].load(std::memory_order_relaxed)) {
    // Cut short by the bound, which has moved since.
    capacity_.store(std::min<std::size_t>(std::size_t{open->first_index} + open->size, limit()),
                    std::memory_order_release);
    return true;
  }
  const auto size = static_cast<std::uint32_t>(level == 0 ? first_level_size : first);
  segment* s = pool().take(level, static_cast<std::uint32_t>(first), size);
  if (s == nullptr) {
    return false;
  }
  {
    const std::lock_guard guard(s->lock);
    s->owner = this;
  }
  segments_[level].store(s, std::memory_order_release);
  capacity_.store(std::min<std::size_t>(first + size, limit()), std::memory_order_release);
  return true;
}

slot* slot_table::next_unused(errc& error) noexcept {
  for (;;) {
    const std::uint32_t index = used_.load(std::memory_order_relaxed);
    if (index >= limit()) {
      error = errc::too_many_actors;
      return nullptr;
    }
    if (index >= capacity_.load(std::memory_order_relaxed) && !open_next_segment()) {
      error = errc::out_of_memory;
      return nullptr;
    }
    segment* home = segments_[level_of(index)].load(std::memory_order_relaxed);
    const std::uint32_t offset = index - home->first_index;
    slot* s = &home->slots[offset];
    {
      // A handle from an earlier runtime may end, and make its slot vacant, at this very moment.
      const std::lock_guard guard(home->lock);
      if (offset == home->constructed) {
        new (s) slot;
        s->index = index;
        s->home = home;
        ++home->constructed;
      }
      used_.store(index + 1, std::memory_order_release);
      if (s->word.snapshot().state != slot_state::vacant) {
        ++skipped_; // pinned by that handle: left to the next owner of the segment
        continue;
      }
    }
    return s;
  }
}

slot* slot_table::collect_returned() noexcept {
  for (auto& entry : segments_) {
    segment* home = entry.load(std::memory_order_relaxed);
    if (home == nullptr) {
      return nullptr;
    }
    const std::lock_guard guard(home->lock);
    if (home->returned != nullptr) {
      return std::exchange(home->returned, nullptr);
    }
  }
  return nullptr;
}

slot* slot_table::take(std::size_t wanted, std::size_t& taken, errc& error) noexcept {
  const std::lock_guard guard(lock_);
  slot* first = nullptr;
  taken = 0;
  while (taken < wanted) {
    slot* s = free_;
    if (s == nullptr && taken == 0) {
      s = collect_returned();
    }
    if (s != nullptr) {
      free_ = s->next;
    } else if (taken != 0 || (s = next_unused(error)) == nullptr) {
      break; // never construct slots ahead of need
    }
    s->next = first;
    first = s;
    ++taken;
  }
  return first;
}

void slot_table::give(slot* first, slot* last) noexcept {
  const std::lock_guard guard(lock_);
  last->next = free_;
  free_ = first;
}

void slot_table::give_from_outside(slot& s) noexcept {
  segment& home = *s.home;
  const std::lock_guard guard(home.lock);
  if (!s.word.reclaim()) {
    return; // the generation is used up: the slot is never handed out again
  }
  // One of a dead runtime is left alone: its owner has passed it by, or will find it vacant.
  if (home.owner != nullptr && s.runtime != nullptr) {
    s.next = home.returned;
    home.returned = &s;
  }
}

} // namespace smarm::detail
