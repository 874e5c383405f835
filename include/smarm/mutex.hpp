// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Mutual exclusion for actors and plain threads, within a runtime and between runtimes. Who has to
// wait is suspended, if it is an actor, while its thread runs others, and blocks if it is a plain
// thread. Who waits is served in the order in which it came. To be used as std::mutex is, with
// std::unique_lock, std::scoped_lock and std::lock.
//
//     smarm::mutex m;
//     {
//       const std::scoped_lock guard(m);
//       ...                                  // may wait, yield and sleep
//     }

#ifndef SMARM_MUTEX_HPP
#define SMARM_MUTEX_HPP

#include <smarm/detail/mutex_core.hpp>
#include <smarm/detail/this_caller.hpp>

#include <chrono>
#include <cstdint>

namespace smarm {

namespace detail {
struct mutex_access;
} // namespace detail

// Not recursive. An unlock hands it to whoever has waited longest, or frees it and wakes that one. Until
// that one runs others may lock it; if it then finds it locked, the next unlock hands it over. So one
// that waits is passed over during one wake-up at most. The owner is the actor or thread that locked
// it, and must be the one that unlocks it, before it ends; an actor may do so on another OS thread. It
// must not be destroyed while it is held or waited for.
class mutex {
public:
  constexpr mutex() noexcept = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;

  // Makes the caller the owner. Suspends while somebody else is. No stop point, so that destructors
  // can use it: a stop is raised later. Throws boost::system::system_error: would_deadlock if the
  // caller is the owner, owner_ended if the owner is an actor that had ended before the call,
  // would_block_scheduler if it would have to wait in scheduler context. Constant time.
  SMARM_ALWAYS_INLINE void lock() {
    const detail::slot& me = detail::this_caller();
    if (SMARM_UNLIKELY(!core_.try_lock(identity(me)))) {
      lock_slowly();
    }
  }

  // The same if it is free at once, else false; false for the owner too. Neither suspends nor is a
  // stop point.
  [[nodiscard]] SMARM_ALWAYS_INLINE bool try_lock() {
    return core_.try_lock(identity(detail::this_caller()));
  }

  // Gives it to the first that waits, or frees it and wakes that one; frees it if nobody waits. Only by
  // the owner. Neither suspends nor is a stop point. Constant time.
  SMARM_ALWAYS_INLINE void unlock() noexcept {
    SMARM_ASSERT(core_.held_by(identity(detail::this_caller())) &&
                 "a mutex is unlocked by somebody else than its owner");
    core_.unlock();
  }

protected:
  // Before the clock is looked at, which costs more than all the rest.
  [[nodiscard]] SMARM_ALWAYS_INLINE bool lock_at_once() {
    detail::stop_point_here();
    return try_lock();
  }
  [[nodiscard]] bool lock_before(std::int64_t deadline);

private:
  friend struct detail::mutex_access;

  [[nodiscard]] static std::uintptr_t identity(const detail::slot& s) noexcept {
    return reinterpret_cast<std::uintptr_t>(&s);
  }
  void lock_slowly();

  detail::mutex_core core_;
};

// A mutex for which one can also wait for a limited time.
class timed_mutex : public mutex {
public:
  // Makes the caller the owner, if that is possible within the time; false if it is not. Suspends
  // while somebody else is the owner, unless no time is given. Stop point: a stop leaves it without
  // the mutex. One who is given the mutex at the very moment in which time runs out, or a stop
  // comes, has it and returns true. Errors as lock. Constant time.
  template <class Rep, class Period>
  [[nodiscard]] bool try_lock_for(const std::chrono::duration<Rep, Period>& limit) {
    return lock_at_once() || lock_before(detail::deadline_after(limit));
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool try_lock_until(const std::chrono::time_point<Clock, Duration>& deadline) {
    return lock_at_once() || lock_before(detail::deadline_of(deadline));
  }
};

namespace detail {

struct mutex_access {
  static mutex_core& core(mutex& m) noexcept { return m.core_; }
  static bool held_by_caller(const mutex& m) {
    return m.core_.held_by(mutex::identity(this_caller()));
  }
};

} // namespace detail
} // namespace smarm

#endif
