// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Says which actor overflowed its stack before the process goes down. Handlers for SIGSEGV and
// SIGBUS look at the faulting address; whatever else it is goes to the handlers that were there
// before, and so does an overflow after its message. A thread sees overflows only while it has an
// alternate_signal_stack.

#ifndef SMARM_DETAIL_STACK_OVERFLOW_HPP
#define SMARM_DETAIL_STACK_OVERFLOW_HPP

#include <smarm/detail/stack.hpp>

#include <cstdint>

namespace smarm::detail {

// Who runs on the calling thread. With no stack it is nobody.
struct overflow_subject {
  const stack* on = nullptr;
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
  const char* label = nullptr; // null or empty: none
};

// Called inside the signal handler, on the thread that faulted: only async-signal-safe work.
using find_overflow_subject = overflow_subject (*)() noexcept;

// Installs the handlers, once per process; later calls only change `find`. False if the system
// refused.
[[nodiscard]] bool report_stack_overflows(find_overflow_subject find) noexcept;

} // namespace smarm::detail

#endif
