// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// While one of these lives, an allocation of this thread does not yield even if the program is
// linked with the allocating checkpoint (preempt_new.cpp). The library's own allocations happen
// under a lock or in the middle of a switch.

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

// A checkpoint that yields but never raises a stop, and does nothing where a yield is not safe. For
// replaced allocation functions.
void allocation_checkpoint() noexcept;

} // namespace smarm::detail

#endif
