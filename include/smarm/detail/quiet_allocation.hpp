// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// While one of these lives, an allocation of this thread is no checkpoint, even in a program that
// is linked with smarm_preempt. The library's own allocations happen under a lock or in the middle
// of a switch, where nothing may yield.

#ifndef SMARM_DETAIL_QUIET_ALLOCATION_HPP
#define SMARM_DETAIL_QUIET_ALLOCATION_HPP

namespace smarm::detail {

class quiet_allocation {
public:
  quiet_allocation() noexcept;
  quiet_allocation(const quiet_allocation&) = delete;
  quiet_allocation& operator=(const quiet_allocation&) = delete;
  ~quiet_allocation();

  // Whether one lives on this thread.
  [[nodiscard]] static bool active() noexcept;
};

} // namespace smarm::detail

#endif
