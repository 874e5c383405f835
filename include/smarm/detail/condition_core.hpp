// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a condition variable consists of: the queue of those who wait. A waiter is in it before it
// gives up the mutex, so a notify that follows a change made under the mutex finds it.

#ifndef SMARM_DETAIL_CONDITION_CORE_HPP
#define SMARM_DETAIL_CONDITION_CORE_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/mutex_core.hpp>
#include <smarm/detail/waiter_queue.hpp>

#include <atomic>
#include <mutex>

namespace smarm::detail {

template <class Env>
class basic_condition_core {
public:
  using waiter = basic_waiter<Env>;

  // A place of basic_queued_wait.
  bool enter(waiter& w) noexcept {
    const std::lock_guard guard(queue_);
    queue_.push(w);
    awaited_.store(true, std::memory_order_relaxed);
    return false;
  }
  bool leave(waiter& w) noexcept {
    const std::lock_guard guard(queue_);
    const bool was_waiting = queue_.remove(w);
    awaited_.store(!queue_.empty(), std::memory_order_relaxed);
    return was_waiting;
  }

  // For one that was in the queue already. True: it is not any more.
  bool begin(waiter& w, typename Env::registration r) noexcept {
    const std::lock_guard guard(queue_);
    if (w.linked) {
      w.who = r;
    }
    return !w.linked;
  }

  void notify_one() noexcept {
    notify([](auto& queue) { return queue.pop(); });
  }
  void notify_all() noexcept {
    notify([](auto& queue) { return queue.pop_all(); });
  }

private:
  template <class Choose>
  SMARM_ALWAYS_INLINE void notify(Choose chosen) noexcept {
    if (!awaited_.load(std::memory_order_relaxed)) {
      return;
    }
    waiter* chain = nullptr;
    {
      const std::lock_guard guard(queue_);
      chain = chosen(queue_);
      awaited_.store(!queue_.empty(), std::memory_order_relaxed);
    }
    basic_waiter_queue<Env>::grant(chain);
  }

  basic_waiter_queue<Env> queue_;
  // Whether the queue has somebody. Written under its lock; read without, since whoever has to be
  // found entered before it gave up the mutex, which the notifier has held since.
  typename Env::atomics::template atomic<bool> awaited_{false};
};

// A wait source, see wait.hpp: into the queue, and only then out of the mutex.
template <class Env>
struct basic_condition_wait {
  basic_queued_wait<Env, basic_condition_core<Env>> queued;
  basic_mutex_core<Env>& held;
  bool released = false;

  basic_condition_wait(basic_condition_core<Env>& at, basic_mutex_core<Env>& mutex) noexcept
      : queued(at), held(mutex) {}

  enrolment enroll(typename Env::registration r) noexcept {
    if (released) {
      return enrolment::ready; // woken for nothing; a notify may have been missed since
    }
    (void)queued.enroll(r);
    released = true;
    held.unlock();
    return enrolment::enrolled;
  }
  bool satisfied() noexcept { return queued.satisfied(); }
  bool withdraw() noexcept { return queued.withdraw(); }
};

// The same where leaving the lock is the user's code, which nothing may run in an open wait: into the
// queue first (announce), then out of the lock, and then into the wait.
template <class Env>
struct basic_announced_wait {
  basic_condition_core<Env>& place;
  basic_waiter<Env> self{};
  bool queued = false;

  explicit basic_announced_wait(basic_condition_core<Env>& at) noexcept : place(at) {}
  basic_announced_wait(const basic_announced_wait&) = delete;
  basic_announced_wait& operator=(const basic_announced_wait&) = delete;
  // A stop, or the lock's own code, may have come in between; the notify then is for the next.
  ~basic_announced_wait() {
    if (queued && !withdraw()) {
      place.notify_one();
    }
  }

  void announce() noexcept {
    (void)place.enter(self);
    queued = true;
  }
  enrolment enroll(typename Env::registration r) noexcept {
    if (queued && !place.begin(self, r)) {
      return enrolment::enrolled;
    }
    if (queued) {
      await_grant();
    } // else woken for nothing
    return enrolment::ready;
  }
  bool satisfied() noexcept {
    const bool granted = self.granted.load(std::memory_order_acquire);
    queued = queued && !granted;
    return granted;
  }
  bool withdraw() noexcept {
    if (place.leave(self)) {
      queued = false;
      return true;
    }
    await_grant();
    return false;
  }

private:
  void await_grant() noexcept {
    spin_until<typename Env::atomics>([this] { return satisfied(); });
  }
};

using condition_core = basic_condition_core<runtime_waits>;
using condition_wait = basic_condition_wait<runtime_waits>;
using announced_wait = basic_announced_wait<runtime_waits>;

} // namespace smarm::detail

#endif
