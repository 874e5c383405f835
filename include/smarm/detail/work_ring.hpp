// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The ready queue of one scheduler: a growing FIFO ring of pointers. The owner pushes at the tail;
// the owner pops and thieves steal at the head, by compare-and-swap, so that whoever moves the head
// has the items in between. A thief takes the older half. An owner that is alone (one scheduler,
// no thieves) pops without any read-modify-write.
//
// Head and tail only ever grow, so a compare-and-swap that succeeds proves that nothing moved since
// the items were read; an item read too late is never used. The owner overwrites a cell only after
// it saw a head beyond it. A full ring doubles: the owner copies the items and publishes the new
// buffer before the first tail that needs it. Old buffers live as long as the ring, because a thief
// may still read one (whose items are as good as those of the new one).

#ifndef SMARM_DETAIL_WORK_RING_HPP
#define SMARM_DETAIL_WORK_RING_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/config.hpp>
#include <smarm/detail/quiet_allocation.hpp>

#include <boost/align/aligned_allocator.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace smarm::detail {

enum class pushed {
  onto_nothing, // the ring was empty: the new item is the only one
  onto_others,
  refused // the ring is full and there is no memory for a larger one
};

template <class T, class Atomics = std_atomics,
          class Allocator = boost::alignment::aligned_allocator<T*, cache_line>>
class work_ring {
public:
  static constexpr std::size_t default_capacity = 256;
  static constexpr std::size_t largest_theft = 128; // what a thief reads while the head may move

  // The capacity is rounded up to a power of two. Throws std::bad_alloc.
  explicit work_ring(std::size_t capacity = default_capacity, const Allocator& allocator = {})
      : allocator_(allocator) {
    capacity = std::bit_ceil(std::max<std::size_t>(capacity, 2));
    install(std::make_unique<buffer>(capacity, allocator_));
  }
  work_ring(const work_ring&) = delete;
  work_ring& operator=(const work_ring&) = delete;
  ~work_ring() {
    while (newest_ != nullptr) { // one by one, so that a long chain is no deep recursion
      newest_ = std::move(newest_->older);
    }
  }

  // ---- the owner

  SMARM_ALWAYS_INLINE pushed push(T* item) noexcept {
    const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    const std::uint64_t head = head_.load(std::memory_order_acquire);
    if (SMARM_UNLIKELY(tail - head > mask_) && !grow(head, tail)) {
      return pushed::refused;
    }
    cells_[tail & mask_].store(item, std::memory_order_relaxed);
    tail_.store(tail + 1, std::memory_order_release);
    return tail == head ? pushed::onto_nothing : pushed::onto_others;
  }

  // `alone`: nobody will ever steal from this ring.
  [[nodiscard]] SMARM_ALWAYS_INLINE T* pop(bool alone) noexcept {
    std::uint64_t head = head_.load(std::memory_order_acquire);
    const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    while (head != tail) {
      T* const item = cells_[head & mask_].load(std::memory_order_relaxed);
      if (alone) {
        head_.store(head + 1, std::memory_order_release); // for size(), anywhere
        return item;
      }
      if (SMARM_LIKELY(head_.compare_exchange_strong(
            head, head + 1, std::memory_order_acq_rel, std::memory_order_acquire))) {
        return item;
      }
    }
    return nullptr;
  }

  // What a pop after `ahead` further pops may yield: a hint to prefetch by. It may be null, taken
  // by a thief meanwhile, or left from an earlier lap, so it must point to what is never unmapped.
  [[nodiscard]] SMARM_ALWAYS_INLINE T* peek(std::size_t ahead) const noexcept {
    const std::uint64_t head = head_.load(std::memory_order_relaxed);
    return cells_[(head + ahead) & mask_].load(std::memory_order_relaxed);
  }

  // Takes the older half of what the victim has: returns the oldest item and puts the others, in
  // their order, behind those of this ring. A lone item is taken only if `take_lone`.
  [[nodiscard]] T* steal_from(work_ring& victim, bool take_lone) noexcept {
    const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    const std::uint64_t room = mask_ + 1 - (tail - head_.load(std::memory_order_acquire));
    std::uint64_t limit = std::min<std::uint64_t>(room + 1, largest_theft);
    std::uint64_t head = victim.head_.load(std::memory_order_acquire);
    for (;;) {
      const std::uint64_t available = victim.tail_.load(std::memory_order_acquire) - head;
      if (available == 0 || (available == 1 && !take_lone)) {
        return nullptr;
      }
      const std::uint64_t count = std::min(available - available / 2, limit);
      // After the tail, so that it is the buffer of that tail or a newer one.
      const buffer& from = *victim.buffer_.load(std::memory_order_acquire);
      T* const oldest = from.at(head).load(std::memory_order_relaxed);
      for (std::uint64_t i = 1; i < count; ++i) { // beyond the own tail nobody else looks
        cells_[(tail + i - 1) & mask_].store(from.at(head + i).load(std::memory_order_relaxed),
                                             std::memory_order_relaxed);
      }
      if (victim.head_.compare_exchange_strong(head, head + count, std::memory_order_acq_rel,
                                               std::memory_order_acquire)) {
        if (count > 1) {
          tail_.store(tail + count - 1, std::memory_order_release);
        }
        return oldest;
      }
      limit = std::max<std::uint64_t>(count / 2, 1); // against a busy owner only a short look wins
    }
  }

  // ---- anybody

  // Not less than what is there, if nobody pushes meanwhile: the head is read first.
  [[nodiscard]] std::size_t size() const noexcept {
    const std::uint64_t head = head_.load(std::memory_order_acquire);
    return static_cast<std::size_t>(tail_.load(std::memory_order_acquire) - head);
  }

protected: // the model tests derive their mutations
  using cell = typename Atomics::template atomic<T*>;

  struct buffer {
    buffer(std::size_t capacity, const Allocator& allocator) : cells(capacity, allocator) {}

    [[nodiscard]] cell& at(std::uint64_t i) noexcept { return cells[i & (cells.size() - 1)]; }
    [[nodiscard]] const cell& at(std::uint64_t i) const noexcept {
      return cells[i & (cells.size() - 1)];
    }

    std::vector<cell, typename std::allocator_traits<Allocator>::template rebind_alloc<cell>> cells;
    std::unique_ptr<buffer> older;
  };

  void install(std::unique_ptr<buffer> next) noexcept {
    cells_ = next->cells.data();
    mask_ = next->cells.size() - 1;
    next->older = std::move(newest_);
    newest_ = std::move(next);
    buffer_.store(newest_.get(), std::memory_order_release);
  }

  SMARM_NOINLINE bool grow(std::uint64_t head, std::uint64_t tail) noexcept {
    const quiet_allocation quiet; // it may be the middle of a switch
    try {
      auto next = std::make_unique<buffer>((mask_ + 1) * 2, allocator_);
      for (std::uint64_t i = head; i != tail; ++i) { // some may be stolen by now: no matter
        next->at(i).store(cells_[i & mask_].load(std::memory_order_relaxed),
                          std::memory_order_relaxed);
      }
      install(std::move(next));
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  // Written by owner and thieves by compare-and-swap. Release after the cells were read; the
  // owner's acquire in push pairs with it before it overwrites them.
  alignas(line_pair) typename Atomics::template atomic<std::uint64_t> head_{0};

  // Written by the owner only. Release after the cells were written; thieves acquire.
  alignas(line_pair) typename Atomics::template atomic<std::uint64_t> tail_{0};
  // Written by the owner only, before the tail that needs it; thieves acquire.
  typename Atomics::template atomic<buffer*> buffer_{nullptr};
  // The owner's own copy of what buffer_ points to.
  cell* cells_ = nullptr;
  std::uint64_t mask_ = 0;
  std::unique_ptr<buffer> newest_;
  [[no_unique_address]] Allocator allocator_;
};

} // namespace smarm::detail

#endif
