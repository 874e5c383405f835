// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/thread_slot.hpp>

#include <smarm/detail/parker.hpp>
#include <smarm/detail/raw_lock.hpp>

#include <mutex>

namespace smarm::detail {
namespace {

struct thread_record {
  slot self;
  parker sleep;
  thread_record* next = nullptr;
};

// Like the slot segments, records go round and are never freed.
raw_lock pool_lock;
thread_record* pool = nullptr;

thread_record* take_record() {
  {
    const std::lock_guard guard(pool_lock);
    if (thread_record* r = pool) {
      pool = r->next;
      return r;
    }
  }
  auto* r = new thread_record;
  r->self.thread_parker = &r->sleep;
  r->self.word.publish_queued();
  (void)r->self.word.claim();
  return r;
}

struct owner {
  thread_record* record = take_record();

  owner() = default;
  owner(const owner&) = delete;
  owner& operator=(const owner&) = delete;
  ~owner() {
    const std::lock_guard guard(pool_lock);
    record->next = pool;
    pool = record;
  }
};

} // namespace

// Out of line: a plain thread does not switch contexts, but an inlined copy in code that also runs
// in actors might be given a cached address.
SMARM_NOINLINE slot& this_thread_slot() {
  thread_local owner mine;
  slot* s = &mine.record->self;
  asm volatile("" : "+r"(s) : : "memory");
  return *s;
}

bool park_thread(slot& me, std::uint64_t ticket, std::int64_t deadline) noexcept {
  bool woken = true;
  if (me.word.park(true)) {
    // A permit may be left over from a waker of an earlier wait: only the word decides.
    while (me.word.snapshot().state != slot_state::queued) {
      if (!me.thread_parker->park(deadline) && me.word.wake(ticket) == wake_result::enqueue) {
        woken = false; // the deadline came, and with this no waker can come any more
      }
    }
  }
  (void)me.word.claim();
  return woken;
}

} // namespace smarm::detail
