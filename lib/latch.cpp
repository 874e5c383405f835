// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Everything under the lock of the queue: who has seen the latch open has thereby waited until
// whoever opened it is out of it.

#include <smarm/latch.hpp>

#include <smarm/detail/this_caller.hpp>
#include <smarm/detail/wait.hpp>

#include <mutex>

namespace smarm {

struct latch::place {
  const latch& of;

  bool enter(detail::queued_waiter& w) noexcept {
    const std::lock_guard guard(of.queue_);
    if (of.count_ == 0) {
      return true;
    }
    of.queue_.push(w);
    return false;
  }
  bool leave(detail::queued_waiter& w) noexcept {
    const std::lock_guard guard(of.queue_);
    return of.queue_.remove(w);
  }
};

void latch::count_down(std::ptrdiff_t n) noexcept {
  detail::queued_waiter* all = nullptr;
  {
    const std::lock_guard guard(queue_);
    SMARM_ASSERT(n >= 0 && n <= count_ && "a latch is counted down too far");
    count_ -= n;
    if (count_ == 0) {
      all = queue_.pop_all();
    }
  }
  detail::waiter_queue::grant(all);
}

bool latch::try_wait() const noexcept {
  const std::lock_guard guard(queue_);
  return count_ == 0;
}

void latch::wait() const {
  detail::stop_point_here();
  if (try_wait()) {
    return;
  }
  place here{*this};
  detail::queued_wait<place> wait(here);
  if (detail::wait_for_source<false>(wait, detail::wait_kind::condition) ==
      detail::wait_end::would_block) {
    detail::throw_would_block("latch::wait");
  }
}

} // namespace smarm
