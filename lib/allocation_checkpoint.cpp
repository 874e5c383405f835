// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/allocation_checkpoint.hpp>

#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/scheduler.hpp>
#include <smarm/this_actor.hpp>

namespace smarm::detail {

void allocation_checkpoint() noexcept {
  scheduler* here = current_scheduler();
  if (here == nullptr || !here->is_actor(here->current) || quiet_allocation::active()) {
    return;
  }
  slot& me = *here->current;
  if (me.masks.preemption == 0 && !me.masks.wait_open && --here->checkpoints == 0) {
    this_actor::impl::slice_check(*here, me);
  }
}

} // namespace smarm::detail
