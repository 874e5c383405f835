// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a semaphore consists of: a word that counts, and the queue of those who wait. A release gives
// to the queue first, so the count is zero while anybody is in it.

#ifndef SMARM_DETAIL_SEMAPHORE_CORE_HPP
#define SMARM_DETAIL_SEMAPHORE_CORE_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/waiter_queue.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>

namespace smarm::detail {

template <class Env>
class basic_semaphore_core {
public:
  using waiter = basic_waiter<Env>;

  constexpr explicit basic_semaphore_core(std::uint64_t count) noexcept : word_(count << 1) {}
  basic_semaphore_core(const basic_semaphore_core&) = delete;
  basic_semaphore_core& operator=(const basic_semaphore_core&) = delete;

  [[nodiscard]] SMARM_ALWAYS_INLINE bool try_acquire() noexcept {
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    while (seen > awaited) {
      if (word_.compare_exchange_weak(seen, seen - one, std::memory_order_acquire,
                                      std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

  // n > 0. After its last step, whichever it is, somebody else may destroy the semaphore.
  SMARM_ALWAYS_INLINE void release(std::uint64_t n) noexcept {
    if (SMARM_UNLIKELY(!add_if_not_awaited(n))) {
      release_to_waiters(n);
    }
  }

  [[nodiscard]] std::uint64_t count() const noexcept {
    return word_.load(std::memory_order_relaxed) >> 1;
  }

  // A place of basic_queued_wait. True: one was acquired.
  bool enter(waiter& w) noexcept {
    const std::lock_guard guard(queue_);
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    for (;;) {
      if (seen > awaited) {
        if (word_.compare_exchange_weak(seen, seen - one, std::memory_order_acquire,
                                        std::memory_order_relaxed)) {
          return true;
        }
      } else if (seen == awaited ||
                 word_.compare_exchange_weak(seen, awaited, std::memory_order_relaxed,
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
      word_.store(0, std::memory_order_relaxed);
    }
    return was_waiting;
  }

private:
  static constexpr std::uint64_t awaited = 1, one = 2;

  SMARM_ALWAYS_INLINE bool add_if_not_awaited(std::uint64_t n) noexcept {
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    while (SMARM_LIKELY((seen & awaited) == 0)) {
      if (word_.compare_exchange_weak(seen, seen + n * one, std::memory_order_release,
                                      std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

  SMARM_NOINLINE void release_to_waiters(std::uint64_t n) noexcept {
    waiter* first = nullptr; // those to be granted, in their order
    waiter* last = nullptr;
    do {
      const std::lock_guard guard(queue_);
      while (n > 0 && !queue_.empty()) {
        waiter* next = queue_.pop();
        (last != nullptr ? last->next : first) = next;
        last = next;
        --n;
      }
      // The word may have been changed by anybody while nobody waited.
      if (queue_.empty() && word_.load(std::memory_order_relaxed) == awaited) {
        word_.store(0, std::memory_order_relaxed);
      }
    } while (n > 0 && !add_if_not_awaited(n));
    basic_waiter_queue<Env>::grant(first);
  }

  // The count times two, plus one while the queue has somebody, which changes only under the queue's
  // lock. Counted up by release (release) and down by acquire (acquire); while it is odd it is one,
  // and written under the lock only.
  typename Env::atomics::template atomic<std::uint64_t> word_;
  basic_waiter_queue<Env> queue_;
};

using semaphore_core = basic_semaphore_core<runtime_waits>;

} // namespace smarm::detail

#endif
