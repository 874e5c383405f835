// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/awaited_operation.hpp>

#include <smarm/this_actor.hpp>

#include <chrono>

namespace smarm::detail {
namespace {

slot& awaiting_actor() {
  scheduler& here = this_actor::impl::here("smarm::await");
  slot& me = *here.current;
  stop_point(here, me);
  return me;
}

} // namespace

awaited_operation::awaited_operation(post_cancel post, void* initiation)
    : framed_completion(awaiting_actor()), post_(post), initiation_(initiation) {}

void awaited_operation::wait(std::int64_t deadline) {
  const wait_end end = deadline == no_deadline
                           ? wait_for_source<false>(*this, wait_kind::operation)
                           : wait_for_source<true>(*this, wait_kind::operation, deadline);
  if (end == wait_end::timed_out) {
    expired_ = true;
    cancel_and_wait();
  }
}

void awaited_operation::cancel_and_wait() noexcept {
  constexpr std::chrono::milliseconds memory_returns(10);
  while (!completed()) {
    cancel_request request(waiter(), *this);
    bool posted = true;
    try {
      post_(initiation_, request);
    } catch (...) {
      posted = false; // no memory: the operation may end by itself, else once more
    }
    (void)wait_for_source<false, stoppable::no>(request, wait_kind::operation);
    if (posted) {
      (void)wait_for_source<false, stoppable::no>(*this, wait_kind::operation);
    } else {
      (void)wait_for_source<true, stoppable::no>(*this, wait_kind::operation,
                                                 deadline_after(memory_returns));
    }
  }
}

} // namespace smarm::detail
