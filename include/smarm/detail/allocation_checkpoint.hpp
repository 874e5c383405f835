// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The checkpoint of smarm_preempt's allocation functions.

#ifndef SMARM_DETAIL_ALLOCATION_CHECKPOINT_HPP
#define SMARM_DETAIL_ALLOCATION_CHECKPOINT_HPP

namespace smarm::detail {

// As this_actor::checkpoint, but never raises a stop, and does nothing outside an actor, under
// no_preempt, and where the library itself allocates.
void allocation_checkpoint() noexcept;

} // namespace smarm::detail

#endif
