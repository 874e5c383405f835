// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What all receiving has in common: where it may be stopped, what it counts, and how it says that it
// took nothing.

#ifndef SMARM_DETAIL_RECEIVE_POINT_HPP
#define SMARM_DETAIL_RECEIVE_POINT_HPP

#include <smarm/detail/wait.hpp>
#include <smarm/error.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>

#include <atomic>
#include <cstdint>
#include <type_traits>

namespace smarm::detail {

// Receiving is a stop point and a checkpoint, whether it waits or not.
SMARM_HOT_INLINE void receive_point() {
  scheduler* here = current_scheduler();
  if (SMARM_LIKELY(here != nullptr && here->is_actor(here->current))) {
    slot& me = *here->current;
    if (SMARM_UNLIKELY(--here->checkpoints == 0)) {
      this_actor::impl::slice_check(*here, me);
      here = current_scheduler();
    }
    stop_point(*here, me);
  }
}

// The same for a step, which need not unwind to end: false, and a stop is to be carried out.
[[nodiscard]] SMARM_HOT_INLINE bool receive_point_of_step() {
  scheduler* here = current_scheduler();
  slot* const me = here->current;
  if (SMARM_UNLIKELY(--here->checkpoints == 0)) {
    this_actor::impl::slice_check(*here, *me);
    here = current_scheduler();
  }
  if (SMARM_UNLIKELY(me->stop.requested()) && here->may_raise(*me)) {
    me->masks.stop_raised = true;
    return false;
  }
  return true;
}

// A message was taken, or nothing can keep it from being.
SMARM_HOT_INLINE void count_received() noexcept {
  scheduler* here = current_scheduler();
  if (SMARM_LIKELY(here != nullptr)) {
    std::atomic<std::uint64_t>& count = here->current->messages_received;
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
}

template <class T>
[[nodiscard]] boost::system::result<T> not_received(const boost::system::error_code& why) {
  return {boost::system::in_place_error, why};
}

// What take() takes, counted; a move that throws takes nothing.
template <class T, class Take>
[[nodiscard]] SMARM_HOT_INLINE boost::system::result<T> take_counted(Take take) {
  if constexpr (std::is_nothrow_move_constructible_v<T>) {
    count_received();
    return take();
  } else {
    boost::system::result<T> taken = take();
    count_received();
    return taken;
  }
}

} // namespace smarm::detail

#endif
