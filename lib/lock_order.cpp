// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Counts what each thread holds. Always compiled, so that a checked user can link with either
// build of the library; without the check nobody calls it.

#include <smarm/detail/config.hpp>
#include <smarm/detail/lock_order.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace smarm::detail {

namespace {

struct held_locks {
  unsigned count[lock_classes] = {};

  unsigned& of(lock_class c) noexcept { return count[static_cast<std::uint32_t>(c)]; }
};

thread_local held_locks the_held_locks;

// Inlined, the address could be kept across a context switch and be another thread's afterwards;
// the asm keeps compilers from concluding that it is the same one each time.
SMARM_NOINLINE held_locks& held_by_this_thread() noexcept {
  held_locks* p = &the_held_locks;
  asm volatile("" : "+r"(p) : : "memory");
  return *p;
}

const char* name(lock_class c) {
  switch (c) {
  case lock_class::leaf: return "leaf";
  case lock_class::channel: return "channel";
  case lock_class::waiters: break;
  }
  return "waiters";
}

void report_and_abort(lock_class held, lock_class wanted) {
  std::fprintf(stderr, "smarm: lock order violated: a %s lock is wanted while a %s lock is held\n",
               name(wanted), name(held));
  std::abort();
}

// Written by set_lock_order_handler, read by whoever violates the order; it guards no data.
std::atomic<lock_order_handler> handler{&report_and_abort};

} // namespace

lock_order_handler set_lock_order_handler(lock_order_handler wanted) noexcept {
  return handler.exchange(wanted != nullptr ? wanted : &report_and_abort,
                          std::memory_order_relaxed);
}

void note_lock(lock_class wanted) noexcept {
  held_locks& held = held_by_this_thread();
  for (const lock_class innermost : {lock_class::channel, lock_class::waiters}) {
    if (held.of(innermost) > 0) {
      handler.load(std::memory_order_relaxed)(innermost, wanted);
      ++held.of(wanted);
      return;
    }
  }
  if (held.of(lock_class::leaf) > 0 && wanted == lock_class::leaf) {
    handler.load(std::memory_order_relaxed)(lock_class::leaf, wanted);
  }
  ++held.of(wanted);
}

void note_unlock(lock_class c) noexcept { --held_by_this_thread().of(c); }

} // namespace smarm::detail
