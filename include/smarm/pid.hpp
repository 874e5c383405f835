// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The identity of one actor of a runtime. A pid stays what it is when its actor ends: no later actor of
// that runtime has an equal one, and every operation on a pid whose actor is gone, or that was made up,
// says so and does nothing else. It does not say which runtime: to another one it is a number like any
// other. Copy it, keep it, send it, log it; it owns nothing.

#ifndef SMARM_PID_HPP
#define SMARM_PID_HPP

#include <smarm/detail/config.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <limits>

namespace smarm {

class pid {
public:
  // No actor, what a pid is before it is given one.
  constexpr pid() noexcept = default;

  // The actor that is, or was, or might be the generation-th in the table's place index.
  constexpr pid(std::uint32_t index, std::uint32_t generation) noexcept
      : index_(index), generation_(generation) {}

  // The parent of actors that no actor has spawned.
  [[nodiscard]] static constexpr pid root() noexcept { return {no_index, no_index}; }

  [[nodiscard]] static constexpr pid none() noexcept { return {}; }

  // True if it can name an actor, dead or alive; false for none and root, which never do.
  [[nodiscard]] constexpr bool is_valid() const noexcept { return index_ != no_index; }

  [[nodiscard]] constexpr std::uint32_t index() const noexcept { return index_; }
  [[nodiscard]] constexpr std::uint32_t generation() const noexcept { return generation_; }

  // By place, then by age.
  friend constexpr auto operator<=>(const pid&, const pid&) noexcept = default;

  [[nodiscard]] friend std::size_t hash_value(const pid& p) noexcept {
    const std::uint64_t key = (std::uint64_t{p.generation_} << 32U) | p.index_;
    // Multiplied by an odd constant and folded, so that both halves reach the low bits.
    const std::uint64_t mixed = key * 0x9e3779b97f4a7c15U;
    return static_cast<std::size_t>(mixed ^ (mixed >> 32U));
  }

  // Writes <index.generation>, or <none>, or <root>.
  friend std::ostream& operator<<(std::ostream& out, const pid& p);

private:
  // No table has a place of this number, so lookups of none and root miss without a special case.
  static constexpr std::uint32_t no_index = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t index_ = no_index;
  std::uint32_t generation_ = 0;
};

} // namespace smarm

template <>
struct std::hash<smarm::pid> {
  [[nodiscard]] std::size_t operator()(const smarm::pid& p) const noexcept { return hash_value(p); }
};

#endif
