// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/thread_slot.hpp>

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/parker.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/detail/timers.hpp>

#include <algorithm>
#include <mutex>
#include <thread>

namespace smarm::detail {
namespace {

// How a thread waits before it sleeps. Who answers it can do so, and look for the next request, in far
// less time than it takes to wake a thread that sleeps on another processor, which the call would cost
// twice. So it looks on for about that long; where that was in vain it does so ever more rarely, until
// it was good for something again.
class patience {
public:
  // True: the wake is here.
  bool look_on(const slot& me, std::int64_t deadline) noexcept {
    if (pass_over_ != 0) {
      --pass_over_;
      return false;
    }
    const std::int64_t begin = monotonic_now();
    const std::int64_t end = std::min(deadline, begin + longest);
    for (std::int64_t now = begin; now < end; now = monotonic_now()) {
      for (int i = 0; i < 8; ++i) {
        if (me.word.snapshot().state == slot_state::notified) {
          passed_over_ = 0;
          return true;
        }
        std_atomics::pause();
      }
    }
    passed_over_ = std::min(2 * passed_over_ + 1, most_passed_over);
    pass_over_ = passed_over_;
    return false;
  }

private:
  static constexpr std::int64_t longest = 30'000; // nanoseconds
  static constexpr unsigned most_passed_over = 63;

  unsigned passed_over_ = 0; // so many waits were left alone after the last one in vain
  unsigned pass_over_ = 0;   // so many still are to be
};

// With one processor nobody can answer meanwhile.
bool others_run_meanwhile() noexcept {
  static const bool several = std::thread::hardware_concurrency() > 1;
  return several;
}

struct thread_record {
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
  r->self.thread_parker = &r->sleep;
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
  if (others_run_meanwhile()) {
    (void)mine->pace.look_on(me, deadline);
  }
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
