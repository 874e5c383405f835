// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A phase ends in two steps: the last arrival, which lets nobody go on yet, and, after the
// completion function, its completion, which begins the next phase and lets everybody go.

#include <smarm/barrier.hpp>

#include <smarm/detail/this_caller.hpp>
#include <smarm/detail/wait.hpp>

#include <mutex>

namespace smarm::detail {

struct barrier_core::place {
  barrier_core& of;
  std::uint64_t phase;

  bool enter(queued_waiter& w) noexcept {
    const std::lock_guard guard(of.queue_);
    if (of.phase_ != phase) {
      return true;
    }
    of.queue_.push(w);
    return false;
  }
  bool leave(queued_waiter& w) noexcept {
    const std::lock_guard guard(of.queue_);
    return of.queue_.remove(w);
  }
};

barrier_core::arrival barrier_core::arrive(std::ptrdiff_t n, bool drops) noexcept {
  const std::lock_guard guard(queue_);
  SMARM_ASSERT(n > 0 && n <= missing_ && "more arrive at a barrier than it expects");
  missing_ -= n;
  if (drops) {
    --expected_;
  }
  return {phase_, missing_ == 0};
}

void barrier_core::complete() noexcept {
  queued_waiter* all = nullptr;
  {
    const std::lock_guard guard(queue_);
    ++phase_;
    missing_ = expected_;
    all = queue_.pop_all();
  }
  waiter_queue::grant(all);
}

void barrier_core::wait(std::uint64_t phase) {
  stop_point_here();
  {
    const std::lock_guard guard(queue_);
    if (phase_ != phase) {
      return;
    }
  }
  place here{*this, phase};
  queued_wait<place> wait(here);
  if (wait_for_source<false>(wait, wait_kind::condition) == wait_end::would_block) {
    throw_would_block("barrier::wait");
  }
}

} // namespace smarm::detail
