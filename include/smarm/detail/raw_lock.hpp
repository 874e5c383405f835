// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The lock for sections of a few instructions inside the library: a word and a futex, works with
// std::lock_guard. It blocks not the actor but the thread, so nothing under it may switch, wait or
// run user code.

#ifndef SMARM_DETAIL_RAW_LOCK_HPP
#define SMARM_DETAIL_RAW_LOCK_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/config.hpp>
#include <smarm/detail/futex.hpp>
#include <smarm/detail/lock_order.hpp>

#include <cstdint>

namespace smarm::detail {

// Sections are tens of nanoseconds; who spins in vain waits for a thread that does not run.
template <class Atomics, class Futex, unsigned Spins = 64>
class basic_raw_lock {
public:
  constexpr basic_raw_lock() noexcept = default;
  constexpr explicit basic_raw_lock(lock_class c) noexcept : class_(c) {}
  basic_raw_lock(const basic_raw_lock&) = delete;
  basic_raw_lock& operator=(const basic_raw_lock&) = delete;

  void lock() noexcept {
    check_order();
    std::uint32_t seen = unlocked;
    if (SMARM_UNLIKELY(!word_.compare_exchange_strong(seen, locked, std::memory_order_acquire,
                                                      std::memory_order_relaxed))) {
      lock_slow();
    }
  }

  [[nodiscard]] bool try_lock() noexcept {
    std::uint32_t seen = unlocked;
    if (!word_.compare_exchange_strong(seen, locked, std::memory_order_acquire,
                                       std::memory_order_relaxed)) {
      return false;
    }
    check_order();
    return true;
  }

  void unlock() noexcept {
#if SMARM_CHECK_LOCK_ORDER
    note_unlock(class_);
#endif
    // The next holder may destroy the lock at once: from here on it is only an address.
    if (SMARM_UNLIKELY(word_.exchange(unlocked, std::memory_order_release) == contended)) {
      Futex::wake_one(word_);
    }
  }

private:
  // A sleeper always leaves the lock contended, even if it was the last one: it cannot know.
  static constexpr std::uint32_t unlocked = 0, locked = 1, contended = 2;

  void check_order() noexcept {
#if SMARM_CHECK_LOCK_ORDER
    note_lock(class_);
#endif
  }

  void lock_slow() noexcept;

  // Written by every locker (acquire) and by the holder at the end (release), which pair.
  typename Atomics::template atomic<std::uint32_t> word_{unlocked};
  lock_class class_ = lock_class::leaf;
};

template <class Atomics, class Futex, unsigned Spins>
SMARM_NOINLINE void basic_raw_lock<Atomics, Futex, Spins>::lock_slow() noexcept {
  for (unsigned i = 0; i < Spins; ++i) {
    Atomics::pause();
    std::uint32_t seen = word_.load(std::memory_order_relaxed);
    if (seen == unlocked && word_.compare_exchange_weak(seen, locked, std::memory_order_acquire,
                                                        std::memory_order_relaxed)) {
      return;
    }
  }
  while (word_.exchange(contended, std::memory_order_acquire) != unlocked) {
    Futex::wait(word_, contended);
  }
}

using raw_lock = basic_raw_lock<std_atomics, linux_futex>;

extern template class basic_raw_lock<std_atomics, linux_futex>;

} // namespace smarm::detail

#endif
