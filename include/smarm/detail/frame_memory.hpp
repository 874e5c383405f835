// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Memory for a pending Asio operation in the frame of the actor that awaits it. An actor starts its
// operations outside of the io_context's run(), where Asio cannot recycle memory; this saves it the
// heap. One block at a time, which is what an operation needs; more come from the heap.

#ifndef SMARM_DETAIL_FRAME_MEMORY_HPP
#define SMARM_DETAIL_FRAME_MEMORY_HPP

#include <atomic>
#include <cstddef>
#include <new>

namespace smarm::detail {

class frame_memory {
public:
  frame_memory() = default;
  frame_memory(const frame_memory&) = delete;
  frame_memory& operator=(const frame_memory&) = delete;

  template <class T>
  class allocator;

  // By who would let the frame go, as its handler was called. False: the block is still in use, and who
  // gives it back calls then(argument) instead. Operations should give their memory back before they
  // call the handler, but one that destroys it together with its own state does so a little later.
  [[nodiscard]] bool given_back_or(void (*then)(void*) noexcept, void* argument) noexcept {
    if (block_.load(std::memory_order_acquire) == block::vacant) {
      return true;
    }
    then_ = then;
    argument_ = argument;
    block seen = block::taken;
    return !block_.compare_exchange_strong(seen, block::outlives, std::memory_order_acq_rel,
                                           std::memory_order_acquire);
  }
  // Whether that was so, and the block is in use still.
  [[nodiscard]] bool outlives() const noexcept {
    return block_.load(std::memory_order_acquire) == block::outlives;
  }

private:
  enum class block : unsigned char { vacant, taken, outlives };

  static constexpr std::size_t size = 256;

  alignas(std::max_align_t) std::byte room_[size];
  // Written by whatever threads run the operation's steps; the last two may meet, the call of the handler
  // and the return of the block, of which the second finds the first's value. Acquire and release: for
  // what the steps did in the block, and for who is to be called.
  std::atomic<block> block_{block::vacant};
  void (*then_)(void*) noexcept = nullptr;
  void* argument_ = nullptr;
};

template <class T>
class frame_memory::allocator {
public:
  using value_type = T;

  explicit allocator(frame_memory* from) noexcept : from_(from) {}
  template <class U>
  allocator(const allocator<U>& other) noexcept : from_(other.from_) {}

  [[nodiscard]] T* allocate(std::size_t n) {
    if (from_ != nullptr && n <= size / sizeof(T) && alignof(T) <= alignof(std::max_align_t) &&
        from_->block_.load(std::memory_order_relaxed) == block::vacant) {
      block seen = block::vacant;
      if (from_->block_.compare_exchange_strong(seen, block::taken, std::memory_order_acquire,
                                                std::memory_order_relaxed)) {
        return reinterpret_cast<T*>(from_->room_);
      }
    }
    if constexpr (alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
      return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(alignof(T))));
    } else {
      return static_cast<T*>(::operator new(n * sizeof(T)));
    }
  }
  void deallocate(T* block, std::size_t) noexcept {
    if (from_ != nullptr && static_cast<void*>(block) == from_->room_) {
      frame_memory& memory = *from_;
      if (memory.block_.exchange(block::vacant, std::memory_order_acq_rel) == block::outlives) {
        memory.then_(memory.argument_); // and is gone
      }
    } else if constexpr (alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
      ::operator delete(block, std::align_val_t(alignof(T)));
    } else {
      ::operator delete(block);
    }
  }

  friend bool operator==(const allocator& a, const allocator& b) noexcept {
    return a.from_ == b.from_;
  }

private:
  template <class>
  friend class allocator;
  frame_memory* from_;
};

} // namespace smarm::detail

#endif
