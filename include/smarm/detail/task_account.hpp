// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How many tasks of a group are at work and who waits: for a place, and for the end of all. A task
// that waits for a place of its own group keeps one meanwhile. When all places are kept so, nobody can
// ever be served: the task that would be the last of these is told.

#ifndef SMARM_DETAIL_TASK_ACCOUNT_HPP
#define SMARM_DETAIL_TASK_ACCOUNT_HPP

#include <smarm/detail/semaphore_core.hpp>
#include <smarm/detail/waiter_queue.hpp>

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace smarm::detail {

// Its lock also guards what the group keeps beside it.
template <class Env>
class basic_task_account {
public:
  using waiter = basic_waiter<Env>;

  explicit basic_task_account(std::uint64_t limit) noexcept : places(limit), limit_(limit) {}
  basic_task_account(const basic_task_account&) = delete;
  basic_task_account& operator=(const basic_task_account&) = delete;

  void lock() noexcept { idle_.lock(); }
  void unlock() noexcept { idle_.unlock(); }

  // ---- under the lock

  void begin() noexcept { ++at_work_; }

  // Who waited for the end of all, to be granted without the lock; null unless that was the last.
  [[nodiscard]] waiter* end() noexcept { return --at_work_ == 0 ? idle_.pop_all() : nullptr; }
  [[nodiscard]] std::size_t at_work() const noexcept { return at_work_; }

  // ---- without it

  // A task is about to wait for a place. False: then all places would be kept by tasks that wait for
  // one. Exact: as many places as tasks are counted are kept by these, one each. If one of them had
  // been given its second place already, or one were free, fewer than all could be counted.
  [[nodiscard]] bool begin_keeping() noexcept {
    const std::lock_guard guard(idle_);
    if (keeping_ + 1 >= limit_) {
      return false;
    }
    ++keeping_;
    return true;
  }
  // It waits no longer, and has not ended yet.
  void end_keeping() noexcept {
    const std::lock_guard guard(idle_);
    --keeping_;
  }

  // A place of basic_queued_wait: the end of all.
  bool enter(waiter& w) noexcept {
    const std::lock_guard guard(idle_);
    if (at_work_ == 0) {
      return true;
    }
    idle_.push(w);
    return false;
  }
  bool leave(waiter& w) noexcept {
    const std::lock_guard guard(idle_);
    return idle_.remove(w);
  }

  // Acquired before a task begins, released when it is over, before that is counted.
  basic_semaphore_core<Env> places;

protected: // the model tests derive mutations
  basic_waiter_queue<Env> idle_;
  const std::uint64_t limit_;
  std::uint64_t keeping_ = 0; // these under the lock
  std::size_t at_work_ = 0;
};

using task_account = basic_task_account<runtime_waits>;

} // namespace smarm::detail

#endif
