// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The coroutine that stands for a thread in the explorer: a guarded stack that is used again and
// again, and switches that AddressSanitizer follows. Nothing is ever unwound: a coroutine that is
// given up is left where it stands, so that the code under test may be noexcept.

#ifndef SMARM_TEST_MODEL_COROUTINE_HPP
#define SMARM_TEST_MODEL_COROUTINE_HPP

// A broken invariant of the library is one more way for a schedule to fail. Hence a model includes
// suite.hpp, and with it this, before any header of the library.
namespace mc {
void require(bool condition, const char* what);
}
#define SMARM_ASSERT(condition) ::mc::require(static_cast<bool>(condition), #condition)

#include <smarm/detail/config.hpp>

#include <boost/context/detail/fcontext.hpp>

#include <sys/mman.h>

#include <cstddef>
#include <functional>
#include <new>
#include <utility>

#if SMARM_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <sanitizer/lsan_interface.h>
#endif

namespace mc {

class coroutine {
public:
  coroutine() {
    base_ = static_cast<char*>(::mmap(nullptr, guard + size, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (base_ == MAP_FAILED || ::mprotect(base_, guard, PROT_NONE) != 0) {
      throw std::bad_alloc();
    }
#if SMARM_ASAN
    __lsan_register_root_region(base_ + guard, size);
#endif
  }
  coroutine(const coroutine&) = delete;
  coroutine& operator=(const coroutine&) = delete;
  ~coroutine() {
#if SMARM_ASAN
    __lsan_unregister_root_region(base_ + guard, size);
#endif
    ::munmap(base_, guard + size);
  }

  // The next enter() runs `body`, which must end with a leave(). What was here before is gone.
  void start(std::function<void()> body) {
    body_ = std::move(body);
#if SMARM_ASAN
    __asan_unpoison_memory_region(base_ + guard, size);
#endif
    at_ = boost::context::detail::make_fcontext(base_ + guard + size, size, &entry);
  }

  // Runs it up to its next leave().
  void enter() {
    [[maybe_unused]] void* fake_stack = nullptr;
#if SMARM_ASAN
    __sanitizer_start_switch_fiber(&fake_stack, base_ + guard, size);
#endif
    at_ = boost::context::detail::jump_fcontext(at_, this).fctx;
#if SMARM_ASAN
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
  }

  // Called inside: back to where enter() was called.
  void leave() {
    [[maybe_unused]] void* fake_stack = nullptr;
#if SMARM_ASAN
    __sanitizer_start_switch_fiber(&fake_stack, home_bottom_, home_size_);
#endif
    home_ = boost::context::detail::jump_fcontext(home_, nullptr).fctx;
#if SMARM_ASAN
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
  }

private:
  static void entry(boost::context::detail::transfer_t from) {
    auto* self = static_cast<coroutine*>(from.data);
#if SMARM_ASAN
    __sanitizer_finish_switch_fiber(nullptr, &self->home_bottom_, &self->home_size_);
#endif
    self->home_ = from.fctx;
    self->body_();
  }

  static constexpr std::size_t guard = 4096;
  static constexpr std::size_t size = 256 * 1024;

  std::function<void()> body_;
  char* base_ = nullptr;
  boost::context::detail::fcontext_t at_ = nullptr;
  boost::context::detail::fcontext_t home_ = nullptr;
  const void* home_bottom_ = nullptr;
  std::size_t home_size_ = 0;
};

} // namespace mc

#endif
