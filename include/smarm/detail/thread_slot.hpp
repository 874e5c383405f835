// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A plain thread that waits is a slot too, so that every waker has one interface: a wake moves the
// slot to Queued, and instead of being put into a run queue the thread's parker is unparked. The
// records are pooled and never freed, since a waker may touch one after its thread has gone on.

#ifndef SMARM_DETAIL_THREAD_SLOT_HPP
#define SMARM_DETAIL_THREAD_SLOT_HPP

#include <smarm/detail/slot.hpp>

#include <cstdint>

namespace smarm::detail {

// The calling thread's slot, Running. Throws std::bad_alloc at a thread's first use if there is no
// memory for it.
[[nodiscard]] slot& this_thread_slot();

// Waits until the ticket's wake or the deadline. True if it was the wake.
bool park_thread(slot& me, std::uint64_t ticket, std::int64_t deadline) noexcept;

} // namespace smarm::detail

#endif
