// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The message of a group's monitor: somebody has become a member, or is none any more.

#ifndef SMARM_GROUP_EVENT_HPP
#define SMARM_GROUP_EVENT_HPP

#include <smarm/member_identity.hpp>
#include <smarm/typed_pid.hpp>

namespace smarm {

enum class group_change : unsigned char {
  joined, // for the first time: what it joins again tells nobody
  left    // by as many leaves as it had joined, or by its end
};

template <class A>
struct group_event {
  group_change what = group_change::joined;
  typed_pid<A> member;

  [[nodiscard]] constexpr member_identity identity() const noexcept { return {member.untyped()}; }
};

} // namespace smarm

#endif
