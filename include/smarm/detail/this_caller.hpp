// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who calls, whatever it is: an actor, a plain thread, or a scheduler's own loop.

#ifndef SMARM_DETAIL_THIS_CALLER_HPP
#define SMARM_DETAIL_THIS_CALLER_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/scheduler.hpp>
#include <smarm/detail/thread_slot.hpp>
#include <smarm/detail/wait.hpp>

namespace smarm::detail {

// The slot with which the caller's waits would be registered.
SMARM_ALWAYS_INLINE slot& this_caller() {
  scheduler* here = current_scheduler();
  return SMARM_LIKELY(here != nullptr) ? *here->current.load() : this_thread_slot();
}

// For calls that are stop points even if they need not wait.
SMARM_ALWAYS_INLINE void stop_point_here() {
  scheduler* here = current_scheduler();
  if (here == nullptr) {
    return;
  }
  slot& me = *here->current.load();
  if (SMARM_LIKELY(here->is_actor(&me))) {
    stop_point(*here, me);
  }
}

// What a wait that ended as wait_end::would_block throws.
[[noreturn]] void throw_would_block(const char* call);

} // namespace smarm::detail

#endif
