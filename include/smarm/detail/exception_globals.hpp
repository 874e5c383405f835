// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The two words in which the C++ run-time library keeps, per thread, which exceptions are being
// handled and how many are in flight. They belong to the context, not to the thread: a context that
// is left inside a handler or during unwinding takes them along and puts them into the globals of
// the thread on which it goes on.

#ifndef SMARM_DETAIL_EXCEPTION_GLOBALS_HPP
#define SMARM_DETAIL_EXCEPTION_GLOBALS_HPP

#include <smarm/detail/config.hpp>

#include <cstdint>

namespace smarm::detail {

struct exception_globals {
  void* caught = nullptr;
  unsigned uncaught = 0;

  [[nodiscard]] SMARM_ALWAYS_INLINE bool empty() const noexcept {
    return (reinterpret_cast<std::uintptr_t>(caught) | uncaught) == 0;
  }
};

// Those of the calling thread. The address is constant per thread: a scheduler asks once and keeps
// the pointer, since the compiler is free to remember the answer of the run-time library's own
// accessor across a switch to another thread.
[[nodiscard]] SMARM_NOINLINE exception_globals* this_thread_exception_globals() noexcept;

// Takes the globals away before a switch and puts them back after it. Both are a test and nothing
// else while no exception is about, which leaves every thread's globals empty between contexts.
class saved_exceptions {
public:
  // `here`: the globals of the thread that the context leaves.
  SMARM_ALWAYS_INLINE explicit saved_exceptions(exception_globals& here) noexcept {
    if (SMARM_UNLIKELY(!here.empty())) {
      saved_ = here;
      here = exception_globals{};
    }
  }

  saved_exceptions(const saved_exceptions&) = delete;
  saved_exceptions& operator=(const saved_exceptions&) = delete;

  // `here`: the globals of the thread that the context is on now, looked up after the switch.
  SMARM_ALWAYS_INLINE void restore(exception_globals& here) const noexcept {
    SMARM_ASSERT(here.empty());
    if (SMARM_UNLIKELY(!saved_.empty())) here = saved_;
  }

  [[nodiscard]] SMARM_ALWAYS_INLINE bool empty() const noexcept { return saved_.empty(); }

private:
  exception_globals saved_;
};

} // namespace smarm::detail

#endif
