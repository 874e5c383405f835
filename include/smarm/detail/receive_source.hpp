// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Waiting until a receiver has something to take, or never will: the wait source of recv, and an arm
// of whoever waits for several channels at once. Each arm is enrolled, asked and withdrawn by
// itself; none consumes anything. An arm that was enrolled must be withdrawn before its channel is
// waited for again, also if another arm ended the wait: wait_for_source withdraws only a source
// that is not satisfied.

#ifndef SMARM_DETAIL_RECEIVE_SOURCE_HPP
#define SMARM_DETAIL_RECEIVE_SOURCE_HPP

#include <smarm/detail/channel_core.hpp>
#include <smarm/detail/wait.hpp>

namespace smarm::detail {

// Nothing is there, and yet the channel takes no registration: somebody else waits for it. Throws
// boost::system::system_error, errc::already_waiting.
[[noreturn]] void refuse_second_receiver();
// The same for a receiver whose recv_match is in its predicate.
[[noreturn]] void refuse_receiver_in_use();

template <class T>
struct receive_source {
  channel_core<T>& core;

  // ready: a message is there or about to be, or the channel is closed.
  SMARM_HOT_INLINE enrolment enroll(registration r) noexcept {
    const bool waits =
        SMARM_UNLIKELY(core.bound != nullptr) ? core.bound->wait(r) : core.inbox.wait(r);
    return waits ? enrolment::enrolled : enrolment::ready;
  }

  SMARM_HOT_INLINE bool satisfied() noexcept { return core.ready(); }

  // Without a ticket: a receiver is one caller's at a time, so the registration that is there is this
  // wait's, or its waker has taken it and there is none.
  bool withdraw() noexcept {
    return core.bound != nullptr ? core.bound->cancel_wait() : core.inbox.cancel_wait();
  }
};

} // namespace smarm::detail

#endif
