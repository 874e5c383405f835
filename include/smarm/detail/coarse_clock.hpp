// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Times that cost nothing to take: the clock as the scheduler last saw it, in ticks of about 8 ms of
// the monotonic clock, in 32 bits. They come round after 417 days, so that what is older seems younger.

#ifndef SMARM_DETAIL_COARSE_CLOCK_HPP
#define SMARM_DETAIL_COARSE_CLOCK_HPP

#include <cstdint>

namespace smarm::detail {

inline constexpr unsigned coarse_tick_shift = 23; // nanoseconds

[[nodiscard]] constexpr std::uint32_t coarse_tick_of(std::int64_t monotonic) noexcept {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(monotonic) >> coarse_tick_shift);
}

// The time of a tick that is past, in nanoseconds of the monotonic clock. Another thread may have seen
// the clock a tick further than the caller.
[[nodiscard]] constexpr std::int64_t time_of_tick(std::uint32_t tick, std::int64_t now) noexcept {
  const auto age = static_cast<std::int32_t>(coarse_tick_of(now) - tick);
  // A small negative age is such a tick; a large one is a wait of more than half the period.
  const std::int64_t ticks = age < 0 && age > -128 ? 0 : static_cast<std::uint32_t>(age);
  return now - (ticks << coarse_tick_shift);
}

} // namespace smarm::detail

#endif
