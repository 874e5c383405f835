// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a mutex consists of: a word that names the owner, and the queue of those who wait. An unlock
// with somebody in the queue makes the first one the owner, so that nobody who comes later gets in
// between and a lock that is waited for is never free.

#ifndef SMARM_DETAIL_MUTEX_CORE_HPP
#define SMARM_DETAIL_MUTEX_CORE_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/waiter_queue.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace smarm::detail {

template <class Env>
class basic_mutex_core {
public:
  using identity = std::uintptr_t; // of a caller, see Env
  using waiter = basic_waiter<Env>;

  constexpr basic_mutex_core() noexcept = default;
  basic_mutex_core(const basic_mutex_core&) = delete;
  basic_mutex_core& operator=(const basic_mutex_core&) = delete;
  ~basic_mutex_core() {
    SMARM_ASSERT(word_.load(std::memory_order_relaxed) == 0 && "destroyed while somebody holds it");
  }

  [[nodiscard]] SMARM_ALWAYS_INLINE bool try_lock(identity me) noexcept {
    identity seen = 0;
    return word_.compare_exchange_strong(seen, me, std::memory_order_acq_rel,
                                         std::memory_order_relaxed);
  }

  // Reliable where it matters: nobody but `me` makes it so or ends it.
  [[nodiscard]] bool held_by(identity me) const noexcept {
    return (word_.load(std::memory_order_relaxed) & ~contended) == me;
  }

  // Who has it at the moment, or 0. Acquires what the owner's place was before it locked, so that
  // one may look there.
  [[nodiscard]] identity owner() const noexcept {
    return word_.load(std::memory_order_acquire) & ~contended;
  }

  SMARM_ALWAYS_INLINE void unlock() noexcept {
    if (SMARM_UNLIKELY(!free_if_alone())) {
      hand_over();
    }
  }

  // A place of basic_queued_wait. True: the waiter is the owner.
  bool enter(waiter& w) noexcept {
    const std::lock_guard guard(queue_);
    identity seen = word_.load(std::memory_order_relaxed);
    for (;;) {
      if (seen == 0) {
        if (word_.compare_exchange_weak(seen, Env::identity(w.who), std::memory_order_acq_rel,
                                        std::memory_order_relaxed)) {
          return true;
        }
      } else if ((seen & contended) != 0 ||
                 word_.compare_exchange_weak(seen, seen | contended, std::memory_order_relaxed,
                                             std::memory_order_relaxed)) {
        queue_.push(w);
        return false;
      }
    }
  }

  bool leave(waiter& w) noexcept {
    const std::lock_guard guard(queue_);
    const bool was_waiting = queue_.remove(w);
    if (was_waiting && queue_.empty()) {
      word_.fetch_and(~contended, std::memory_order_relaxed);
    }
    return was_waiting;
  }

private:
  static constexpr identity contended = 1;

  // After it was freed the next owner may destroy it: nothing is touched any more.
  [[nodiscard]] SMARM_ALWAYS_INLINE bool free_if_alone() noexcept {
    identity seen = word_.load(std::memory_order_relaxed);
    return SMARM_LIKELY((seen & contended) == 0) &&
           word_.compare_exchange_strong(seen, 0, std::memory_order_release,
                                         std::memory_order_relaxed);
  }

  SMARM_NOINLINE void hand_over() noexcept {
    do {
      waiter* next = nullptr;
      {
        const std::lock_guard guard(queue_);
        next = queue_.pop();
        if (next != nullptr) {
          // The grant releases what was done under the lock; this, what it names.
          word_.store(Env::identity(next->who) | (queue_.empty() ? 0 : contended),
                      std::memory_order_release);
        }
      }
      if (next != nullptr) {
        basic_waiter_queue<Env>::grant(next);
        return;
      }
      // The last waiter has given up meanwhile.
    } while (!free_if_alone());
  }

  // 0: free. Else the owner, and whether the queue has somebody, which changes only under the
  // queue's lock. From 0: whoever locks (acquire; release for owner()). To 0: the owner (release).
  // From owner to owner: the owner, under the queue's lock (release for owner()).
  typename Env::atomics::template atomic<identity> word_{0};
  basic_waiter_queue<Env> queue_;
};

using mutex_core = basic_mutex_core<runtime_waits>;

} // namespace smarm::detail

#endif
