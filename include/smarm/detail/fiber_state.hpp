// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a sanitizer has to be told about a context switch. Every context, a thread's own included,
// has one fiber_state; the two ends of a switch call the hooks below around jump(). In an ordinary
// build the state is empty and the hooks are nothing.
//
// Order of a switch: leaving(me, next) · jump · arrived(next, me), the last by the successor before
// it lets anybody else see the context that was left.

#ifndef SMARM_DETAIL_FIBER_STATE_HPP
#define SMARM_DETAIL_FIBER_STATE_HPP

#include <smarm/detail/config.hpp>

#include <cstddef>

#if SMARM_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if SMARM_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace smarm::detail {

// A program whose sanitizers differ from the library's would switch without telling them: it does
// not link.
#if SMARM_ASAN
extern const char library_has_address_sanitizer;
[[gnu::used]] inline const char* const same_sanitizers = &library_has_address_sanitizer;
#elif SMARM_TSAN
extern const char library_has_thread_sanitizer;
[[gnu::used]] inline const char* const same_sanitizers = &library_has_thread_sanitizer;
#else
extern const char library_has_no_sanitizer;
[[gnu::used]] inline const char* const same_sanitizers = &library_has_no_sanitizer;
#endif

struct fiber_state {
#if SMARM_ASAN
  void* fake_stack = nullptr;
  const void* bottom = nullptr;
  std::size_t size = 0;
#endif
#if SMARM_TSAN
  void* tsan_fiber = nullptr;
#endif
};

// A sanitizer keeps a shadow of the calls of a context, so a context that was left for good cannot
// be entered again: such builds make a new one for each tenant of a stack.
inline constexpr bool contexts_outlive_tenants = !SMARM_ASAN && !SMARM_TSAN;

// For the context that the thread itself runs on, called by that thread.
inline void adopt_thread([[maybe_unused]] fiber_state& state) noexcept {
#if SMARM_TSAN
  state.tsan_fiber = __tsan_get_current_fiber();
#endif
}

// For a context about to be made on [low, low + size). Pairs with end_fiber.
inline void begin_fiber([[maybe_unused]] fiber_state& state, [[maybe_unused]] const void* low,
                        [[maybe_unused]] std::size_t size) noexcept {
#if SMARM_ASAN
  state.fake_stack = nullptr;
  state.bottom = low;
  state.size = size;
#endif
#if SMARM_TSAN
  state.tsan_fiber = __tsan_create_fiber(0);
#endif
}

// Called from another context, once this one was left for good and before its stack is released. A
// second call does nothing.
inline void end_fiber([[maybe_unused]] fiber_state& state) noexcept {
#if SMARM_ASAN
  // Frames that did not return, as those of an abandoned context, left poison behind.
  if (state.bottom != nullptr) __asan_unpoison_memory_region(state.bottom, state.size);
  state = {};
#endif
#if SMARM_TSAN
  if (state.tsan_fiber != nullptr) __tsan_destroy_fiber(state.tsan_fiber);
  state.tsan_fiber = nullptr;
#endif
}

SMARM_ALWAYS_INLINE void leaving([[maybe_unused]] fiber_state& me,
                                 [[maybe_unused]] const fiber_state& next) noexcept {
#if SMARM_ASAN
  __sanitizer_start_switch_fiber(&me.fake_stack, next.bottom, next.size);
#endif
#if SMARM_TSAN
  __tsan_switch_to_fiber(next.tsan_fiber, 0);
#endif
}

// The last departure: nobody will ever come back to `me`.
SMARM_ALWAYS_INLINE void leaving_for_good([[maybe_unused]] fiber_state& me,
                                          [[maybe_unused]] const fiber_state& next) noexcept {
#if SMARM_ASAN
  __sanitizer_start_switch_fiber(nullptr, next.bottom, next.size);
#endif
#if SMARM_TSAN
  __tsan_switch_to_fiber(next.tsan_fiber, 0);
#endif
}

// The first and every later arrival. The bounds of the context that was left are learnt here, which
// is how those of a thread's own stack become known.
SMARM_ALWAYS_INLINE void arrived([[maybe_unused]] fiber_state& me,
                                 [[maybe_unused]] fiber_state& left) noexcept {
#if SMARM_ASAN
  __sanitizer_finish_switch_fiber(me.fake_stack, &left.bottom, &left.size);
#endif
}

// A plain call that runs somebody else's code on this context. ThreadSanitizer sees the guest as a
// fiber of its own for as long as this object lives, so that what two guests of one stack do is not
// taken for the work of one. The state must be the one of the context it is made on.
class guest_fiber {
public:
  SMARM_ALWAYS_INLINE explicit guest_fiber([[maybe_unused]] fiber_state& host) noexcept
#if SMARM_TSAN
      : host_(host), fiber_(host.tsan_fiber) {
    host_.tsan_fiber = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(host_.tsan_fiber, 0);
  }
#else
  {
  }
#endif

  guest_fiber(const guest_fiber&) = delete;
  guest_fiber& operator=(const guest_fiber&) = delete;

  SMARM_ALWAYS_INLINE ~guest_fiber() {
#if SMARM_TSAN
    void* const guest = host_.tsan_fiber;
    host_.tsan_fiber = fiber_;
    __tsan_switch_to_fiber(fiber_, 0);
    __tsan_destroy_fiber(guest);
#endif
  }

#if SMARM_TSAN
private:
  fiber_state& host_;
  void* fiber_;
#endif
};

} // namespace smarm::detail

#endif
