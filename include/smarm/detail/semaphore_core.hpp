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

  // n > 0. False: the count would pass `most`, and nothing was added. After its last step, whichever
  // it is, somebody else may destroy the semaphore: those who waited are told when the lock is free,
  // and before that nobody can know that it is used no more.
  [[nodiscard]] SMARM_ALWAYS_INLINE bool release(std::uint64_t n, std::uint64_t most) noexcept {
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    for (;;) {
      if (SMARM_UNLIKELY(seen == awaited)) {
        const released how = release_to_waiters(n, most);
        if (how != released::not_awaited) {
          return how == released::yes;
        }
        seen = word_.load(std::memory_order_relaxed);
      } else if (SMARM_UNLIKELY(n > most - (seen >> 1))) {
        return false;
      } else if (word_.compare_exchange_weak(seen, seen + n * one, std::memory_order_release,
                                             std::memory_order_relaxed)) {
        return true;
      }
    }
  }

  // Where there cannot be too many.
  SMARM_ALWAYS_INLINE void release(std::uint64_t n) noexcept { (void)release(n, largest); }

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

protected: // the model tests derive mutants
  static constexpr std::uint64_t awaited = 1, one = 2;
  static constexpr std::uint64_t largest = ~std::uint64_t{0} >> 1;

  enum class released : unsigned char { yes, no, not_awaited };

  // All at once, under the lock: while somebody waits nobody else changes the word.
  SMARM_NOINLINE released release_to_waiters(std::uint64_t n, std::uint64_t most) noexcept {
    waiter* first = nullptr; // those to be granted, in their order
    waiter* last = nullptr;
    {
      const std::lock_guard guard(queue_);
      if (queue_.empty()) {
        return released::not_awaited;
      }
      if (SMARM_UNLIKELY(n > most) && !queue_.longer_than(n - most - 1)) {
        return released::no;
      }
      for (; n > 0 && !queue_.empty(); --n) {
        waiter* next = queue_.pop();
        (last != nullptr ? last->next : first) = next;
        last = next;
      }
      if (queue_.empty()) {
        word_.store(n * one, std::memory_order_release);
      }
    }
    basic_waiter_queue<Env>::grant(first);
    return released::yes;
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
