// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Sleeping on a 32-bit word and waking who sleeps there, with absolute deadlines in nanoseconds of
// the monotonic clock: no conversion to milliseconds exists that could round a short sleep to zero.
// A policy of everything that sleeps, so that the model tests can put an explorer's kernel in its
// place.

#ifndef SMARM_DETAIL_FUTEX_HPP
#define SMARM_DETAIL_FUTEX_HPP

#include <smarm/detail/deadline.hpp>

#include <atomic>
#include <cstdint>

namespace smarm::detail {

struct linux_futex {
  // Sleeps while the word holds `expected`. False: the deadline has passed. True means only "look
  // again": woken, interrupted by a signal, or the word held something else already.
  static bool wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
                   std::int64_t deadline = no_deadline) noexcept;

  // The word is only an address here: it may have been destroyed and even reused meanwhile, which
  // costs somebody a spurious return. So a waker may wake after it gave the sleeper its leave.
  static void wake_one(const std::atomic<std::uint32_t>& word) noexcept;

  [[nodiscard]] static std::int64_t now() noexcept;
};

// The kernel may let every sleep of the calling thread run over by its slack, 50 us unless changed.
// A thread that keeps timers sets 1. Returns the slack before, for the thread's owner to restore.
std::uint64_t exchange_timer_slack(std::uint64_t nanoseconds) noexcept;

} // namespace smarm::detail

#endif
