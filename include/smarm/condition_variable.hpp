// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Waiting, with a mutex held, until somebody says that something has changed. For actors and plain
// threads; to be used as std::condition_variable is, with smarm's mutexes.
//
//     std::unique_lock lock(m);
//     changed.wait(lock, [&] { return !queue.empty(); });

#ifndef SMARM_CONDITION_VARIABLE_HPP
#define SMARM_CONDITION_VARIABLE_HPP

#include <smarm/detail/condition_core.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/mutex.hpp>

#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace smarm {

// The waits take a std::unique_lock of a mutex or timed_mutex that the caller holds, give it up
// while they wait, and hold it again whenever they return or throw. Each is a stop point; taking the
// mutex again is none. One who is notified at the very moment in which time runs out, or a stop
// comes, is notified: no notify is lost. A wait may end without a notify, if seldom. Waits throw
// boost::system::system_error: operation_not_permitted if the lock holds nothing,
// would_block_scheduler in scheduler context.
class condition_variable {
public:
  constexpr condition_variable() noexcept = default;
  condition_variable(const condition_variable&) = delete;
  condition_variable& operator=(const condition_variable&) = delete;

  // Ends the wait of the one who has waited longest, if anybody waits. The mutex may be held or not;
  // what the other waits for must have been changed under it. Neither suspends nor is a stop point.
  // Constant time.
  void notify_one() noexcept { core_.notify_one(); }

  // Ends every wait that has begun. Neither suspends nor is a stop point. Linear in their number.
  void notify_all() noexcept { core_.notify_all(); }

  // Suspends until a notify. Stop point.
  template <std::derived_from<mutex> Mutex>
  void wait(std::unique_lock<Mutex>& lock) {
    (void)wait_before(held_by(lock), detail::no_deadline);
  }

  // Suspends until the predicate, called with the mutex held, is true. Stop point, except that it
  // returns at once if the predicate is true already. Throws what the predicate throws.
  template <std::derived_from<mutex> Mutex, std::predicate Predicate>
  void wait(std::unique_lock<Mutex>& lock, Predicate holds) {
    while (!holds()) {
      wait(lock);
    }
  }

  // The same with a limit: timeout if no notify came in time; in the forms with a predicate, what
  // it says last. Suspends. Stop point.
  template <std::derived_from<mutex> Mutex, class Rep, class Period>
  std::cv_status wait_for(std::unique_lock<Mutex>& lock,
                          const std::chrono::duration<Rep, Period>& limit) {
    return status(wait_before(held_by(lock), detail::deadline_after(limit)));
  }
  template <std::derived_from<mutex> Mutex, class Rep, class Period, std::predicate Predicate>
  bool wait_for(std::unique_lock<Mutex>& lock, const std::chrono::duration<Rep, Period>& limit,
                Predicate holds) {
    return holds_before(lock, detail::deadline_after(limit), holds);
  }
  template <std::derived_from<mutex> Mutex, class Clock, class Duration>
  std::cv_status wait_until(std::unique_lock<Mutex>& lock,
                            const std::chrono::time_point<Clock, Duration>& deadline) {
    return status(wait_before(held_by(lock), detail::deadline_of(deadline)));
  }
  template <std::derived_from<mutex> Mutex, class Clock, class Duration, std::predicate Predicate>
  bool wait_until(std::unique_lock<Mutex>& lock,
                  const std::chrono::time_point<Clock, Duration>& deadline, Predicate holds) {
    return holds_before(lock, detail::deadline_of(deadline), holds);
  }

private:
  template <class Mutex>
  static mutex* held_by(const std::unique_lock<Mutex>& lock) noexcept {
    return lock.owns_lock() ? lock.mutex() : nullptr;
  }
  static std::cv_status status(bool notified) noexcept {
    return notified ? std::cv_status::no_timeout : std::cv_status::timeout;
  }
  template <class Mutex, class Predicate>
  bool holds_before(std::unique_lock<Mutex>& lock, std::int64_t deadline, Predicate& holds) {
    while (!holds()) {
      if (!wait_before(held_by(lock), deadline)) {
        return holds();
      }
    }
    return true;
  }

  // False: the deadline came.
  bool wait_before(mutex* held, std::int64_t deadline);

  detail::condition_core core_;
};

// The same for locks of any type with lock() and unlock(), as std::condition_variable_any: of a
// std::mutex between threads, of one's own. Costs one more step of the queue's lock in each wait, and
// the lock may be what blocks the thread. Taking the lock again must not throw.
class condition_variable_any {
public:
  constexpr condition_variable_any() noexcept = default;
  condition_variable_any(const condition_variable_any&) = delete;
  condition_variable_any& operator=(const condition_variable_any&) = delete;

  void notify_one() noexcept { core_.notify_one(); }
  void notify_all() noexcept { core_.notify_all(); }

  template <class Lock>
  void wait(Lock& lock) {
    (void)wait_before(lock, detail::no_deadline);
  }
  template <class Lock, std::predicate Predicate>
  void wait(Lock& lock, Predicate holds) {
    while (!holds()) {
      wait(lock);
    }
  }
  template <class Lock, class Rep, class Period>
  std::cv_status wait_for(Lock& lock, const std::chrono::duration<Rep, Period>& limit) {
    return status(wait_before(lock, detail::deadline_after(limit)));
  }
  template <class Lock, class Rep, class Period, std::predicate Predicate>
  bool wait_for(Lock& lock, const std::chrono::duration<Rep, Period>& limit, Predicate holds) {
    return holds_before(lock, detail::deadline_after(limit), holds);
  }
  template <class Lock, class Clock, class Duration>
  std::cv_status wait_until(Lock& lock, const std::chrono::time_point<Clock, Duration>& deadline) {
    return status(wait_before(lock, detail::deadline_of(deadline)));
  }
  template <class Lock, class Clock, class Duration, std::predicate Predicate>
  bool wait_until(Lock& lock, const std::chrono::time_point<Clock, Duration>& deadline,
                  Predicate holds) {
    return holds_before(lock, detail::deadline_of(deadline), holds);
  }

private:
  template <class Lock>
  struct unlocked {
    Lock& lock;
    explicit unlocked(Lock& held) : lock(held) { lock.unlock(); }
    unlocked(const unlocked&) = delete;
    unlocked& operator=(const unlocked&) = delete;
    ~unlocked() { lock.lock(); }
  };

  static std::cv_status status(bool notified) noexcept {
    return notified ? std::cv_status::no_timeout : std::cv_status::timeout;
  }
  template <class Lock>
  bool wait_before(Lock& lock, std::int64_t deadline) {
    detail::announced_wait wait(core_);
    wait.announce();
    const unlocked<Lock> meanwhile(lock);
    return wait_before(wait, deadline);
  }
  template <class Lock, class Predicate>
  bool holds_before(Lock& lock, std::int64_t deadline, Predicate& holds) {
    while (!holds()) {
      if (!wait_before(lock, deadline)) {
        return holds();
      }
    }
    return true;
  }

  // False: the deadline came.
  static bool wait_before(detail::announced_wait& wait, std::int64_t deadline);

  detail::condition_core core_;
};

} // namespace smarm

#endif
