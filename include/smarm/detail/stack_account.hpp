// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What is kept of an actor that parks deep down its stack, for those who look from outside: in one
// word of its slot, since the stack itself may be gone when they come to it.
//
//   deepest park, in pages of 4 KiB, 16 bits | shrinks, 16 bits     each ends at its greatest value

#ifndef SMARM_DETAIL_STACK_ACCOUNT_HPP
#define SMARM_DETAIL_STACK_ACCOUNT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace smarm::detail {

class stack_account {
public:
  static constexpr std::size_t unit = 4096;

  constexpr explicit stack_account(std::uint32_t word) noexcept : word_(word) {}

  // One that parked so deep, and gave stack back so often since its life began.
  [[nodiscard]] constexpr std::uint32_t with(std::size_t depth, std::uint32_t shrinks) const noexcept {
    const std::size_t pages = std::min<std::size_t>((depth + unit - 1) / unit, 0xffff);
    return static_cast<std::uint32_t>(std::max<std::size_t>(pages, word_ & 0xffff)) |
           std::min<std::uint32_t>(shrinks, 0xffff) << 16;
  }

  [[nodiscard]] constexpr std::size_t high_water() const noexcept { return (word_ & 0xffff) * unit; }
  [[nodiscard]] constexpr std::uint32_t shrinks() const noexcept { return word_ >> 16; }

private:
  std::uint32_t word_;
};

} // namespace smarm::detail

#endif
