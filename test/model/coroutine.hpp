// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The two things the explorer needs of a coroutine: a guarded stack of its own and a switch that
// AddressSanitizer follows. Nothing is ever unwound: a coroutine that is given up is left where it
// stands, so that the code under test may be noexcept.

#ifndef SMARM_TEST_MODEL_COROUTINE_HPP
#define SMARM_TEST_MODEL_COROUTINE_HPP

#include <smarm/detail/config.hpp>

#include <boost/context/detail/fcontext.hpp>

#include <sys/mman.h>

#include <cstddef>
#include <new>

#if SMARM_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif

namespace mc {

namespace context = boost::context::detail;

class coroutine_stack {
public:
  coroutine_stack() {
    base_ = static_cast<char*>(::mmap(nullptr, guard + size, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (base_ == MAP_FAILED || ::mprotect(base_, guard, PROT_NONE) != 0) {
      throw std::bad_alloc();
    }
#if SMARM_ASAN
    __lsan_register_root_region(bottom(), size);
#endif
  }

  coroutine_stack(const coroutine_stack&) = delete;
  coroutine_stack& operator=(const coroutine_stack&) = delete;

  ~coroutine_stack() {
#if SMARM_ASAN
    __lsan_unregister_root_region(bottom(), size);
#endif
    ::munmap(base_, guard + size);
  }

  // A fresh context that will run `entry`; the previous one on this stack is gone for good.
  [[nodiscard]] context::fcontext_t start(void (*entry)(context::transfer_t)) {
#if SMARM_ASAN
    __asan_unpoison_memory_region(bottom(), size);
#endif
    return context::make_fcontext(bottom() + size, size, entry);
  }

  [[nodiscard]] char* bottom() const { return base_ + guard; }

  static constexpr std::size_t size = 256 * 1024;

private:
  static constexpr std::size_t guard = 4096;
  char* base_ = nullptr;
};

// Called around every jump. `bottom` and `size` are those of the stack jumped to.
struct switch_note {
  void* fake_stack = nullptr;

  void before([[maybe_unused]] const void* bottom, [[maybe_unused]] std::size_t size) {
#if SMARM_ASAN
    __sanitizer_start_switch_fiber(&fake_stack, bottom, size);
#endif
  }
  void after() {
#if SMARM_ASAN
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
  }
  // The first thing on a new stack; tells where the switch came from.
  static void arrived([[maybe_unused]] const void** bottom, [[maybe_unused]] std::size_t* size) {
#if SMARM_ASAN
    __sanitizer_finish_switch_fiber(nullptr, bottom, size);
#endif
  }
};

} // namespace mc

#endif
