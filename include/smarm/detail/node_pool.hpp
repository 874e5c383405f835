// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A scheduler's store of small blocks for messages and requests: four size classes, each a LIFO
// list of bounded length, so that what is handed out is warm. Blocks wander from the senders'
// schedulers to the receivers'; a list that is full gives them back to operator new's heap, since
// a long list drifts into random order and outgrows the cache. Not thread-safe: the owner passes
// its own pool, everybody else passes null and uses the heap.

#ifndef SMARM_DETAIL_NODE_POOL_HPP
#define SMARM_DETAIL_NODE_POOL_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/quiet_allocation.hpp>

#include <cstddef>
#include <cstdint>
#include <new>

namespace smarm::detail {

class node_pool {
public:
  static constexpr std::size_t largest = 256 - 8; // the last of the classes below
  static constexpr std::size_t class_bytes = 256 * 1024; // what one list may keep

  node_pool() noexcept = default;
  node_pool(const node_pool&) = delete;
  node_pool& operator=(const node_pool&) = delete;
  ~node_pool() { clear(); }

  // A block of at least `size` bytes, aligned for every fundamental type; null if memory is
  // exhausted.
  [[nodiscard]] static void* allocate(node_pool* pool, std::size_t size) noexcept {
    const std::size_t index = class_of(size);
    if (SMARM_LIKELY(pool != nullptr && index < classes)) {
      list& from = pool->lists_[index];
      if (block* top = from.top; SMARM_LIKELY(top != nullptr)) {
        from.top = top->next;
        --from.length;
        return top;
      }
    }
    const quiet_allocation quiet; // a send never switches
    return ::operator new(block_size(size, index), std::nothrow);
  }

  // `size` is the one the block was allocated with; the pool may be another one, or none.
  static void release(node_pool* pool, void* memory, std::size_t size) noexcept {
    const std::size_t index = class_of(size);
    if (SMARM_LIKELY(pool != nullptr && index < classes)) {
      list& to = pool->lists_[index];
      if (SMARM_LIKELY(to.length < limit(index))) {
        to.top = ::new (memory) block{to.top};
        ++to.length;
        return;
      }
    }
    ::operator delete(memory, block_size(size, index));
  }

  // Gives everything back to the heap.
  void clear() noexcept {
    for (std::size_t index = 0; index < classes; ++index) {
      while (block* top = lists_[index].top) {
        lists_[index].top = top->next;
        ::operator delete(static_cast<void*>(top), class_size(index));
      }
      lists_[index].length = 0;
    }
  }

  // How many blocks are kept that serve a request of this size.
  [[nodiscard]] std::size_t kept(std::size_t size) const noexcept {
    const std::size_t index = class_of(size);
    return index < classes ? lists_[index].length : 0;
  }

  // How many blocks are kept at most for requests of this size.
  [[nodiscard]] static constexpr std::size_t limit_for(std::size_t size) noexcept {
    const std::size_t index = class_of(size);
    return index < classes ? limit(index) : 0;
  }

private:
  // Malloc keeps eight bytes of its own in front of each block: with them a block is a power of two.
  [[nodiscard]] static constexpr std::size_t class_size(std::size_t index) noexcept {
    return (std::size_t{32} << index) - 8;
  }
  static constexpr std::size_t classes = 4;

  struct block {
    block* next;
  };

  struct list {
    block* top = nullptr;
    std::size_t length = 0;
  };

  [[nodiscard]] static constexpr std::size_t class_of(std::size_t size) noexcept {
    return size <= class_size(0)   ? 0
           : size <= class_size(1) ? 1
           : size <= class_size(2) ? 2
           : size <= class_size(3) ? 3
                                   : classes;
  }

  [[nodiscard]] static constexpr std::size_t block_size(std::size_t size,
                                                        std::size_t index) noexcept {
    return index < classes ? class_size(index) : size;
  }

  // Nothing is kept where a sanitizer should see each block end.
  [[nodiscard]] static constexpr std::size_t limit(std::size_t index) noexcept {
    return SMARM_ASAN || SMARM_VALGRIND ? 0 : class_bytes / (std::size_t{32} << index);
  }

  list lists_[classes];
};

} // namespace smarm::detail

#endif
