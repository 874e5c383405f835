// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Waiting for the end of a barrier's phase.

#include <smarm/barrier.hpp>

#include <smarm/detail/this_caller.hpp>
#include <smarm/detail/wait.hpp>

namespace smarm::detail {

void wait_for_phase(barrier_core& at, std::uint64_t phase) {
  stop_point_here();
  if (at.over(phase)) {
    return;
  }
  barrier_core::end_of_phase here{at, phase};
  queued_wait<barrier_core::end_of_phase> wait(here);
  if (wait_for_source<false>(wait, wait_kind::condition) == wait_end::would_block) {
    throw_would_block("barrier::wait");
  }
}

} // namespace smarm::detail
