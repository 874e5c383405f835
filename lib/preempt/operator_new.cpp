// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Replaces the global allocation functions by ones that are checkpoints: an actor that allocates in
// a loop then yields when its slice is used up, without any checkpoint() in its code. Opt-in, by
// linking smarm_preempt: such a yield comes in the middle of whatever allocates, so code that holds
// a plain mutex or depends on its thread while it allocates must not run in such a program. It never
// raises a stop.

#include <smarm/detail/allocation_checkpoint.hpp>

#include <cstdlib>
#include <new>

namespace {

void* allocate(std::size_t size) {
  smarm::detail::allocation_checkpoint();
  for (;;) {
    if (void* p = std::malloc(size != 0 ? size : 1)) {
      return p;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) {
      throw std::bad_alloc();
    }
    handler();
  }
}

void* allocate(std::size_t size, std::size_t alignment) {
  smarm::detail::allocation_checkpoint();
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  for (;;) {
    if (void* p = std::aligned_alloc(alignment, rounded != 0 ? rounded : alignment)) {
      return p;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) {
      throw std::bad_alloc();
    }
    handler();
  }
}

} // namespace

// The remaining forms of the standard call these.
void* operator new(std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
