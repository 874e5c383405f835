// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the models of the waiting primitives put in the place of the runtime: callers with a number,
// a lock that takes one step, and waits as wait.hpp makes them.

#ifndef SMARM_TEST_MODEL_WAITING_ENV_HPP
#define SMARM_TEST_MODEL_WAITING_ENV_HPP

#include "receiver.hpp"
#include "suite.hpp"

#include <smarm/detail/wait.hpp>
#include <smarm/detail/waiter_queue.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace mc {

using smarm::detail::enrolment;

struct caller {
  sleeper sleep;
};

struct caller_registration {
  caller* who = nullptr;
  ticket waiting;
};

enum class lock_excludes { yes, no };

template <lock_excludes Excludes>
class step_lock {
public:
  explicit step_lock(smarm::detail::lock_class) noexcept {}
  void lock() {
    if (Excludes == lock_excludes::yes) {
      held_.block_until_and_store([](bool held) { return !held; }, true);
    } else {
      held_.store(true);
    }
  }
  void unlock() { held_.store(false); }

private:
  atomic<bool> held_{false};
};

template <class Atomics = atomics, lock_excludes Excludes = lock_excludes::yes, bool Wakes = true>
struct waits {
  using atomics = Atomics;
  using lock = step_lock<Excludes>;
  using registration = caller_registration;
  static constexpr unsigned char hand_overs_in_a_row = 1;

  static void wake(const registration& r) {
    if (Wakes && r.who != nullptr) {
      r.who->sleep.wake(r.waiting);
    }
  }
  static std::uintptr_t identity(const registration& r) noexcept { return identity(*r.who); }
  static std::uintptr_t identity(const caller& c) noexcept {
    return reinterpret_cast<std::uintptr_t>(&c);
  }
};

// Never destroyed: after a failure it is in any state, and its destructor has assertions of its own.
template <class T>
class undestroyed {
public:
  template <class... Args>
  explicit undestroyed(Args&&... args) {
    new (static_cast<void*>(room_)) T(std::forward<Args>(args)...);
  }
  T* operator->() noexcept { return std::launder(reinterpret_cast<T*>(room_)); }
  T& operator*() noexcept { return *operator->(); }

private:
  alignas(T) std::byte room_[sizeof(T)];
};

// A wait that only its source ends.
template <class Source>
void wait(Source& source, caller& me) {
  const caller_registration mine{&me, me.sleep.open_wait()};
  if (source.enroll(mine) == enrolment::enrolled) {
    me.sleep.sleep(mine.waiting);
    require(source.satisfied(), "woken for nothing");
  }
}

// One that a deadline or a stop may end, at any time after it has begun. False: so it did.
template <class Source>
bool wait_or_give_up(Source& source, caller& me) {
  const caller_registration mine{&me, me.sleep.open_wait()};
  if (source.enroll(mine) != enrolment::enrolled) {
    return true;
  }
  if (choose(2) == 0) {
    me.sleep.sleep(mine.waiting);
  }
  return source.satisfied() || !source.withdraw();
}

// For a mutex. Who is called may come too late and waits again, but not twice. False: gave up, as one
// without patience may at any time after a wait has begun.
template <class Source>
bool wait_for_mutex(Source& source, caller& me, bool patient = true) {
  for (int turn = 0;; ++turn) {
    require(turn < 2, "passed over once at most");
    const caller_registration mine{&me, me.sleep.open_wait()};
    if (source.enroll(mine) != enrolment::enrolled) {
      return true;
    }
    const bool asleep = patient || choose(2) == 0;
    if (asleep) {
      me.sleep.sleep(mine.waiting);
    }
    if (source.satisfied() || !source.withdraw()) {
      return true;
    }
    if (!asleep) {
      return false;
    }
  }
}

} // namespace mc

#endif
