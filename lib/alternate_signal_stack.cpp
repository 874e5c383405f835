// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Memory with a guard of its own, so that a handler that goes too deep does not write elsewhere.

#include <smarm/detail/alternate_signal_stack.hpp>

#include <smarm/detail/stack_shape.hpp>

#include "thread_stack.hpp"

#include <sys/auxv.h>
#include <sys/mman.h>

#include <algorithm>

namespace smarm::detail {
namespace {

// What the kernel itself needs for a signal frame depends on the processor's vector registers.
std::size_t usable_size() noexcept {
#if defined(AT_MINSIGSTKSZ)
  const std::size_t frame = ::getauxval(AT_MINSIGSTKSZ);
#else
  const std::size_t frame = 0;
#endif
  return stack_shape{std::max<std::size_t>(64 * 1024, 4 * frame), 0}.rounded().reserve;
}

} // namespace

alternate_signal_stack::alternate_signal_stack(const char* what) noexcept
    : size_(usable_size() + page_size()) {
  void* const memory =
      ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  (void)::mprotect(memory, page_size(), PROT_NONE);
  stack_t own{};
  own.ss_sp = static_cast<std::byte*>(memory) + page_size();
  own.ss_size = size_ - page_size();
  if (::sigaltstack(&own, &before_) != 0) {
    (void)::munmap(memory, size_);
    return;
  }
  memory_ = memory;
  know_thread_stack(what);
}

alternate_signal_stack::~alternate_signal_stack() {
  if (memory_ == nullptr) return;
  forget_thread_stack();
  stack_t now{};
  const bool ours = ::sigaltstack(nullptr, &now) == 0 &&
                    now.ss_sp == static_cast<std::byte*>(memory_) + page_size();
  if (ours) {
    before_.ss_flags &= SS_DISABLE;
    (void)::sigaltstack(&before_, nullptr);
  }
  (void)::munmap(memory_, size_);
}

} // namespace smarm::detail
