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

private:
  static constexpr std::size_t size = 256;

  alignas(std::max_align_t) std::byte room_[size];
  // Written by whatever thread runs the operation's steps, one after the other. Release when the block
  // is given back, acquire when it is taken.
  std::atomic<bool> taken_{false};
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
        !from_->taken_.load(std::memory_order_relaxed) &&
        !from_->taken_.exchange(true, std::memory_order_acquire)) {
      return reinterpret_cast<T*>(from_->room_);
    }
    if constexpr (alignof(T) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
      return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(alignof(T))));
    } else {
      return static_cast<T*>(::operator new(n * sizeof(T)));
    }
  }
  void deallocate(T* block, std::size_t) noexcept {
    if (from_ != nullptr && static_cast<void*>(block) == from_->room_) {
      from_->taken_.store(false, std::memory_order_release);
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
