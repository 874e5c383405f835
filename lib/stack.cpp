// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a header cannot say in one load.

#include <smarm/detail/stack.hpp>

#include "stack_slab.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>

namespace smarm::detail {

static_assert(sizeof(fiber_state) > 1 || sizeof(stack) == cache_line,
              "attaching a stack is meant to touch one line of its header");

namespace {

std::byte* page_below(std::byte* address) noexcept {
  return address - reinterpret_cast<std::uintptr_t>(address) % page_size();
}

// Calls `seen(page index)` for each page of [low, low + bytes) that has memory.
template <class Seen>
void resident_pages(std::byte* low, std::size_t bytes, Seen seen) noexcept {
  const std::size_t page = page_size();
  const std::size_t pages = bytes / page;
  std::array<unsigned char, 256> in_core;
  for (std::size_t first = 0; first < pages; first += in_core.size()) {
    const std::size_t count = std::min(in_core.size(), pages - first);
    if (::mincore(low + first * page, count * page, in_core.data()) != 0) return;
    for (std::size_t i = 0; i < count; ++i) {
      if ((in_core[i] & 1) != 0) seen(first + i);
    }
  }
}

} // namespace

stack_shape stack::shape() const noexcept { return slab_->shape(); }

std::size_t stack::resident() const noexcept {
  std::size_t pages = 0;
  resident_pages(low_, slab_->shape().reserve, [&](std::size_t) { ++pages; });
  return pages * page_size();
}

std::size_t stack::resident_depth() const noexcept {
  const std::size_t reserve = slab_->shape().reserve;
  std::size_t lowest = reserve / page_size();
  resident_pages(low_, reserve, [&](std::size_t page) { lowest = std::min(lowest, page); });
  return reserve - lowest * page_size();
}

void stack::discard_below(std::size_t retain) noexcept {
  if (size() <= retain) return;
  std::byte* const end = page_below(top() - retain);
  if (end > low_) (void)::madvise(low_, static_cast<std::size_t>(end - low_), MADV_DONTNEED);
  deepest_ = std::max(deepest_, end);
}

void stack::shrink(std::byte* sp) noexcept {
  std::byte* const end = page_below(sp - red_zone);
  if (end <= low_) return;
  // From the very bottom, not from the deepest point seen: calls between switches went deeper. The
  // pages go when memory gets tight, and stay if the tenant comes back to them before.
  (void)::madvise(low_, static_cast<std::size_t>(end - low_), MADV_FREE);
  deepest_ = sp;
  parks_since_shrink_ = 0;
  ++shrinks_;
}

} // namespace smarm::detail
