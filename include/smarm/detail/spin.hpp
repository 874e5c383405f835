// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Waiting for a store that another thread is about to make, a few instructions away: for hand-overs
// whose first half was already seen. Never for a lock, never for anything that a switch can delay.

#ifndef SMARM_DETAIL_SPIN_HPP
#define SMARM_DETAIL_SPIN_HPP

#include <sched.h>

namespace smarm::detail {

// Some 64 pauses cover any store that is under way; after that its thread was interrupted between
// the two halves, and only the processor that we occupy may be what it waits for.
template <class Atomics, class Condition>
void spin_until(Condition condition) noexcept {
  for (unsigned round = 0; !condition(); ++round) {
    if (round < 64) {
      Atomics::pause();
    } else {
      ::sched_yield();
    }
  }
}

} // namespace smarm::detail

#endif
