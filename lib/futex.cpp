// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The system calls behind futex.hpp.

#include <smarm/detail/futex.hpp>

#include <smarm/detail/config.hpp>
#include <smarm/detail/simulation.hpp>

#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

namespace smarm::detail {

namespace {

constexpr std::int64_t second = 1'000'000'000;

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t),
              "the kernel compares the bare word");

} // namespace

bool linux_futex::wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
                       std::int64_t deadline) noexcept {
  timespec until{};
  if (deadline > 0) {
    until.tv_sec = static_cast<time_t>(deadline / second);
    until.tv_nsec = static_cast<long>(deadline % second);
  }
  // The bitset form is the one whose timeout is absolute, and on the monotonic clock.
  const long result =
    ::syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, expected,
              deadline == no_deadline ? nullptr : &until, nullptr, FUTEX_BITSET_MATCH_ANY);
  return result == 0 || errno != ETIMEDOUT;
}

void linux_futex::wake_one(const std::atomic<std::uint32_t>& word) noexcept {
  ::syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, nullptr, nullptr, 0);
}

std::int64_t linux_futex::now() noexcept {
  return SMARM_UNLIKELY(simulated != nullptr) ? simulated->now.load() : world_now();
}

std::int64_t world_now() noexcept {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::int64_t>(t.tv_sec) * second + t.tv_nsec;
}

std::uint64_t exchange_timer_slack(std::uint64_t nanoseconds) noexcept {
  const int before = ::prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
  ::prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
  return before < 0 ? 0 : static_cast<std::uint64_t>(before);
}

} // namespace smarm::detail
