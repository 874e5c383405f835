// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The atomics policy. Every lock-free protocol of the library is a template over it, so that the
// model tests run the very code that ships, with an explorer's atomics in place of the standard's.

#ifndef SMARM_DETAIL_ATOMICS_HPP
#define SMARM_DETAIL_ATOMICS_HPP

#include <smarm/detail/config.hpp>

#include <atomic>
#include <thread>

namespace smarm::detail {

struct std_atomics {
  template <class T>
  using atomic = std::atomic<T>;

  static void fence(std::memory_order order) noexcept {
#if SMARM_TSAN && defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtsan"
#endif
    // Only ever orders a store before a later load of another word; data is handed over by the
    // acquire and release of the operations themselves, which is what ThreadSanitizer sees.
    std::atomic_thread_fence(order);
#if SMARM_TSAN && defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
  }

  // Orders a read-modify-write and what precedes it before later loads, which acquire and release
  // alone do not. Where the hardware does it anyway, only the compiler has to know.
  static void fence_after_modify() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    std::atomic_signal_fence(std::memory_order_seq_cst);
#else
    fence(std::memory_order_seq_cst);
#endif
  }

  // Lets other threads go on while the caller waits for one of them.
  static void give_way() noexcept { std::this_thread::yield(); }

  // Tells the core that the caller spins on a word that another core will write.
  static void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield" ::: "memory");
#endif
  }
};

} // namespace smarm::detail

#endif
