// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who is a member of a process group, in full: a pid says which actor of its runtime, and this also
// which runtime, for groups that span several. So far there is one node, of the incarnation below.

#ifndef SMARM_MEMBER_IDENTITY_HPP
#define SMARM_MEMBER_IDENTITY_HPP

#include <smarm/pid.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace smarm {

struct member_identity {
  static constexpr std::uint32_t this_node = 0;
  // Not 0, which elsewhere stands for any.
  static constexpr std::uint32_t this_incarnation = 1;

  pid actor;
  std::uint32_t node = this_node;
  std::uint32_t incarnation = this_incarnation; // of the node: another one each time that it starts

  friend constexpr bool operator==(const member_identity&,
                                   const member_identity&) noexcept = default;
  friend constexpr auto operator<=>(const member_identity&,
                                    const member_identity&) noexcept = default;
  [[nodiscard]] friend std::size_t hash_value(const member_identity& m) noexcept {
    return hash_value(m.actor) ^
           ((std::uint64_t{m.node} << 32 | m.incarnation) * 0x9e3779b97f4a7c15U);
  }
};

} // namespace smarm

template <>
struct std::hash<smarm::member_identity> {
  [[nodiscard]] std::size_t operator()(const smarm::member_identity& m) const noexcept {
    return hash_value(m);
  }
};

#endif
