// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The processor's time-stamp counter: a clock that costs a few nanoseconds to read and is good for
// comparing with itself.

#ifndef SMARM_DETAIL_CYCLES_HPP
#define SMARM_DETAIL_CYCLES_HPP

#include <smarm/detail/config.hpp>

#include <cstdint>
#if !defined(__x86_64__) && !defined(__aarch64__)
#include <chrono>
#endif

namespace smarm::detail {

[[nodiscard]] SMARM_ALWAYS_INLINE std::uint64_t cycles_now() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

} // namespace smarm::detail

#endif
