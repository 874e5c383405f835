// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The records of one thread: it overwrites the oldest with the newest and waits for nobody, and who
// reads meanwhile gets those that were whole.

#ifndef SMARM_DETAIL_TRACE_RING_HPP
#define SMARM_DETAIL_TRACE_RING_HPP

#include <smarm/detail/atomics.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace smarm::detail {

template <class Atomics, std::size_t Words>
class basic_trace_ring {
public:
  using record = std::array<std::uint64_t, Words>;

  // A power of two. Throws std::bad_alloc.
  explicit basic_trace_ring(std::size_t capacity)
      : capacity_(capacity), words_(std::make_unique<atomic[]>(capacity * Words)) {}

  // The one writer.
  void add(const record& r) noexcept {
    const std::uint64_t number = next_.load(std::memory_order_relaxed);
    atomic* const place = place_of(number);
    for (std::size_t i = 0; i < Words; ++i) {
      // Release: who sees this word sees also that the records before this one are complete, and so
      // that the one which was here is not there any more.
      place[i].store(r[i], std::memory_order_release);
    }
    next_.store(number + 1, std::memory_order_release);
  }

  // Anybody. Appends what is there, oldest first; returns how many were overwritten before them.
  std::uint64_t read(std::vector<record>& out) const {
    const std::uint64_t end = next_.load(std::memory_order_acquire);
    const std::uint64_t first = end > capacity_ ? end - capacity_ : 0;
    const std::size_t before = out.size();
    copy(first, end, out);
    // The record of the number `now` may be on its way into the place of the one a round before.
    const std::uint64_t now = next_.load(std::memory_order_acquire);
    const std::uint64_t whole = std::clamp(now >= capacity_ ? now - capacity_ + 1 : 0, first, end);
    drop(out, before, whole - first);
    return whole;
  }

protected: // the model derives its mutations
  using atomic = typename Atomics::template atomic<std::uint64_t>;

  [[nodiscard]] atomic* place_of(std::uint64_t number) const noexcept {
    return &words_[static_cast<std::size_t>(number & (capacity_ - 1)) * Words];
  }

  void copy(std::uint64_t first, std::uint64_t end, std::vector<record>& out) const {
    for (std::uint64_t number = first; number < end; ++number) {
      record& to = out.emplace_back();
      atomic* const place = place_of(number);
      for (std::size_t i = 0; i < Words; ++i) {
        to[i] = place[i].load(std::memory_order_acquire);
      }
    }
  }

  static void drop(std::vector<record>& out, std::size_t from, std::uint64_t count) {
    const auto begin = out.begin() + static_cast<std::ptrdiff_t>(from);
    out.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
  }

  const std::size_t capacity_;
  // Both written by the writer alone.
  const std::unique_ptr<atomic[]> words_;
  atomic next_{0}; // how many records were completed
};

} // namespace smarm::detail

#endif
