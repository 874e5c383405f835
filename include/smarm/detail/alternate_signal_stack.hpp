// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A stack for the signal handlers of the calling thread: after an overflow its own cannot be used.
// The one that was there before comes back at the end, which a sanitizer's thread exit relies on.

#ifndef SMARM_DETAIL_ALTERNATE_SIGNAL_STACK_HPP
#define SMARM_DETAIL_ALTERNATE_SIGNAL_STACK_HPP

#include <signal.h>

#include <cstddef>

namespace smarm::detail {

class alternate_signal_stack {
public:
  // `what` names the thread in a report about its own stack ("scheduler 1"); it must live as long
  // as this object. Made and destroyed on the same thread.
  explicit alternate_signal_stack(const char* what) noexcept;
  ~alternate_signal_stack();

  alternate_signal_stack(const alternate_signal_stack&) = delete;
  alternate_signal_stack& operator=(const alternate_signal_stack&) = delete;

  // False if the system refused; overflows on this thread then end the process without a report.
  [[nodiscard]] bool installed() const noexcept { return memory_ != nullptr; }

private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
  stack_t before_{};
};

} // namespace smarm::detail

#endif
