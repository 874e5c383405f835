// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Waking whoever registered for something. A registration is a slot and the ticket of one wait of
// its tenant; a wake with a ticket that is no longer valid does nothing, so that a registration
// may be held, and used, for any length of time.

#ifndef SMARM_DETAIL_WAKE_HPP
#define SMARM_DETAIL_WAKE_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/scheduler.hpp>
#include <smarm/detail/slot.hpp>

#include <cstdint>

namespace smarm::detail {

struct registration {
  slot* who = nullptr;
  std::uint64_t ticket = 0;
};

// A slot that was moved to Queued, from a thread that does not run the slot's runtime: another
// runtime's actor, a plain thread, or the waker of a plain thread.
void make_ready_from_outside(slot& s) noexcept;

SMARM_ALWAYS_INLINE void make_ready(slot& s) noexcept {
  scheduler* here = current_scheduler();
  if (SMARM_LIKELY(here != nullptr && &here->runtime == s.runtime)) {
    here->make_ready(s);
  } else {
    make_ready_from_outside(s);
  }
}

// From any thread; never blocks, never switches.
SMARM_ALWAYS_INLINE void wake(registration wait) noexcept {
  if (SMARM_LIKELY(wait.who->word.wake(wait.ticket) == wake_result::enqueue)) {
    make_ready(*wait.who);
  }
}

} // namespace smarm::detail

#endif
