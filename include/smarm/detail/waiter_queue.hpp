// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who waits at a mutex, a semaphore, a condition: first come, first served, and whoever has
// something to give hands it to the first. This is the one list that all of them use; it lives under
// a raw lock that also guards what the owner has to keep consistent with it.
//
// A waiter is a part of the waiting call's frame. Granting takes two steps: under the lock the waiter
// is unlinked, and what it waited for is made its own; then, with the lock released, its flag is set
// and it is woken. The flag comes last, since from then on the frame may be gone, and with it, if the
// waiter was the last user, the whole primitive. A waiter that gives up takes the lock. If it is
// still linked, it unlinks itself and nobody has ever granted it anything. If not, the grant is under
// way: it waits for the flag, and owns what it was given. So a grant is never lost, whatever
// deadline or stop it meets.

#ifndef SMARM_DETAIL_WAITER_QUEUE_HPP
#define SMARM_DETAIL_WAITER_QUEUE_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/config.hpp>
#include <smarm/detail/lock_order.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/detail/spin.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/detail/wake.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace smarm::detail {

// What the templates below need of their surroundings; a model test has others.
struct runtime_waits {
  using atomics = std_atomics;
  using lock = raw_lock;
  using registration = detail::registration;
  // After a waiter that was called came too late, so many unlocks hand over before one calls again.
  static constexpr unsigned char hand_overs_in_a_row = 16;

  // A waiter may be in a queue before its wait has begun: nobody is to be woken then.
  SMARM_ALWAYS_INLINE static void wake(registration r) noexcept {
    if (SMARM_LIKELY(r.who != nullptr)) {
      detail::wake(r);
    }
  }
  // Names the waiting caller, see this_caller. Never odd.
  SMARM_ALWAYS_INLINE static std::uintptr_t identity(registration r) noexcept {
    return reinterpret_cast<std::uintptr_t>(r.who);
  }
};

template <class Env>
struct basic_waiter {
  typename Env::registration who{}; // this and the links: under the queue's lock
  basic_waiter* next = nullptr;     // in the queue, then among those that are granted together
  basic_waiter* previous = nullptr;
  bool linked = false;
  // Set by the granter, last thing (release); read by the waiter (acquire), which thereby has what
  // the granter did before.
  typename Env::atomics::template atomic<bool> granted{false};
};

// Lockable; all but `grant` under the lock.
template <class Env>
class basic_waiter_queue {
public:
  using waiter = basic_waiter<Env>;

  constexpr basic_waiter_queue() noexcept = default;
  basic_waiter_queue(const basic_waiter_queue&) = delete;
  basic_waiter_queue& operator=(const basic_waiter_queue&) = delete;
  ~basic_waiter_queue() { SMARM_ASSERT(first_ == nullptr && "destroyed while somebody waits"); }

  SMARM_ALWAYS_INLINE void lock() noexcept { lock_.lock(); }
  SMARM_ALWAYS_INLINE void unlock() noexcept { lock_.unlock(); }

  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }

  [[nodiscard]] waiter* first() const noexcept { return first_; }
  [[nodiscard]] bool alone(const waiter& w) const noexcept { return first_ == &w && last_ == &w; }

  // Linear in n at most.
  [[nodiscard]] bool longer_than(std::uint64_t n) const noexcept {
    const waiter* w = first_;
    for (; w != nullptr && n > 0; --n) {
      w = w->next;
    }
    return w != nullptr;
  }

  void push(waiter& w) noexcept {
    w.next = nullptr;
    w.previous = last_;
    w.linked = true;
    (last_ != nullptr ? last_->next : first_) = &w;
    last_ = &w;
  }

  // The first, to be granted; null if there is none.
  [[nodiscard]] waiter* pop() noexcept {
    waiter* w = first_;
    if (w != nullptr) {
      unlink(*w);
      w->next = nullptr;
    }
    return w;
  }

  // All of them, to be granted in their order.
  [[nodiscard]] waiter* pop_all() noexcept {
    waiter* all = first_;
    for (waiter* w = all; w != nullptr; w = w->next) {
      w->linked = false;
    }
    first_ = last_ = nullptr;
    return all;
  }

  // False: it was popped already.
  bool remove(waiter& w) noexcept {
    const bool here = w.linked;
    if (here) {
      unlink(w);
    }
    return here;
  }

  // Without the lock. None of the waiters is touched after its flag is set, nor is the queue.
  SMARM_ALWAYS_INLINE static void grant(waiter* chain) noexcept {
    while (chain != nullptr) {
      waiter* const next = chain->next;
      const typename Env::registration who = chain->who;
      chain->granted.store(true, std::memory_order_release);
      Env::wake(who);
      chain = next;
    }
  }

private:
  void unlink(waiter& w) noexcept {
    (w.previous != nullptr ? w.previous->next : first_) = w.next;
    (w.next != nullptr ? w.next->previous : last_) = w.previous;
    w.linked = false;
  }

  typename Env::lock lock_{lock_class::waiters};
  waiter* first_ = nullptr;
  waiter* last_ = nullptr;
};

// A wait source, see wait.hpp, for one wait at a place with such a queue:
//   place.enter(w)   true if there is nothing to wait for, else w is in the queue
//   place.leave(w)   takes it out again; false if it was popped already
template <class Env, class Place>
struct basic_queued_wait {
  Place& place;
  basic_waiter<Env> self{};

  explicit basic_queued_wait(Place& at) noexcept : place(at) {}

  enrolment enroll(typename Env::registration r) noexcept {
    self.who = r;
    return place.enter(self) ? enrolment::ready : enrolment::enrolled;
  }
  bool satisfied() noexcept { return self.granted.load(std::memory_order_acquire); }
  bool withdraw() noexcept {
    if (place.leave(self)) {
      return true;
    }
    spin_until<typename Env::atomics>([this] { return satisfied(); });
    return false;
  }
};

using queued_waiter = basic_waiter<runtime_waits>;
using waiter_queue = basic_waiter_queue<runtime_waits>;
template <class Place>
using queued_wait = basic_queued_wait<runtime_waits, Place>;

} // namespace smarm::detail

#endif
