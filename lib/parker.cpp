// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The parkers of plain threads: a pool that only grows, as large as the most threads that ever
// waited at once.

#include <smarm/detail/parker.hpp>
#include <smarm/detail/raw_lock.hpp>

#include <mutex>

namespace smarm::detail {

namespace {

struct alignas(line_pair) pooled_parker {
  parker it;
  pooled_parker* next = nullptr;
};

struct parker_pool {
  raw_lock lock;
  pooled_parker* free = nullptr;
};

parker_pool& pool() {
  static auto* the_pool = new parker_pool; // outlives the last thread
  return *the_pool;
}

// Gives the parker back when the thread ends; what waits even later takes another one.
struct lease {
  pooled_parker* held = nullptr;
  ~lease() {
    if (held != nullptr) {
      const std::lock_guard guard(pool().lock);
      held->next = pool().free;
      pool().free = held;
      held = nullptr;
    }
  }
};

thread_local lease the_lease;

SMARM_NOINLINE lease& lease_of_this_thread() noexcept {
  lease* p = &the_lease;
  asm volatile("" : "+r"(p) : : "memory");
  return *p;
}

pooled_parker* take_free() {
  const std::lock_guard guard(pool().lock);
  pooled_parker* p = pool().free;
  if (p != nullptr) {
    pool().free = p->next;
  }
  return p;
}

} // namespace

parker& this_thread_parker() {
  lease& mine = lease_of_this_thread();
  if (SMARM_UNLIKELY(mine.held == nullptr)) {
    pooled_parker* p = take_free();
    mine.held = p != nullptr ? p : new pooled_parker;
  }
  return mine.held->it;
}

} // namespace smarm::detail
