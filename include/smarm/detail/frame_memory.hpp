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

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/frame_block_word.hpp>

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
    then_ = then;
    argument_ = argument;
    return block_.handler_called();
  }
  // Whether that was so, and the block is in use still.
  [[nodiscard]] bool outlives() const noexcept { return block_.in_use_after_the_handler(); }

private:
  static constexpr std::size_t size = 256;

  alignas(std::max_align_t) std::byte room_[size];
  basic_frame_block_word<std_atomics> block_;
  // Written by who calls the handler, before the word says so; read by who finds that there.
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
        from_->block_.take()) {
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
      frame_memory& memory = *from_;
      if (memory.block_.give_back()) {
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
