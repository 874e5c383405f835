// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/thread_slot.hpp>

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/parker.hpp>
#include <smarm/detail/patience.hpp>
#include <smarm/detail/raw_lock.hpp>

#include <mutex>

namespace smarm::detail {
namespace {

struct thread_record final : outside_waiter {
  void ready() noexcept override { sleep.unpark(); }

  slot self;
  parker sleep;
  patience pace;
  thread_record* next = nullptr;
  thread_record* made_before = nullptr;
};

// Like the slot segments, records go round and are never freed.
raw_lock pool_lock;
thread_record* pool = nullptr;
thread_record* newest = nullptr; // of all there are: those that nobody gave back are no leak

thread_record* take_record() {
  {
    const std::lock_guard guard(pool_lock);
    if (thread_record* r = pool) {
      pool = r->next;
      return r;
    }
  }
  auto* r = new thread_record;
  r->self.outsider = r;
  r->self.word.publish_queued();
  (void)r->self.word.claim();
  const std::lock_guard guard(pool_lock);
  r->made_before = newest;
  newest = r;
  return r;
}

// The calling thread's record. Beside its guard, not in it: what is written into an object that ends
// may be left out by the compiler, and it is read again after that.
constinit thread_local thread_record* mine = nullptr;

// Gives the record back when the thread ends; what waits even later takes another one.
struct giver {
  bool in_use = false;

  ~giver() {
    if (mine != nullptr) {
      const std::lock_guard guard(pool_lock);
      mine->next = pool;
      pool = mine;
      mine = nullptr;
    }
  }
};

thread_local giver at_thread_end;

} // namespace

// Out of line: a plain thread does not switch contexts, but an inlined copy in code that also runs
// in actors might be given a cached address.
SMARM_NOINLINE slot& this_thread_slot() {
  if (SMARM_UNLIKELY(mine == nullptr)) {
    at_thread_end.in_use = true; // which also sees to it that it has an end
    mine = take_record();
  }
  slot* s = &mine->self;
  asm volatile("" : "+r"(s) : : "memory");
  return *s;
}

bool park_thread(slot& me, std::uint64_t ticket, std::int64_t deadline) noexcept {
  bool woken = true;
  (void)mine->pace.look_on(
      [&me] { return me.word.snapshot().state == slot_state::notified; }, deadline);
  if (me.word.park(true)) {
    // A permit may be left over from a waker of an earlier wait: only the word decides.
    while (me.word.snapshot().state != slot_state::queued) {
      if (!mine->sleep.park(deadline) && me.word.wake(ticket) == wake_result::enqueue) {
        woken = false; // the deadline came, and with this no waker can come any more
      }
    }
  }
  (void)me.word.claim();
  return woken;
}

} // namespace smarm::detail
