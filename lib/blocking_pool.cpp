// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "blocking_pool.hpp"

#include "forked_child.hpp"
#include "what_of.hpp"

#include <smarm/detail/deadline.hpp>
#include <smarm/detail/futex.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/report.hpp>

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

namespace smarm::detail {
namespace {

constinit thread_local blocking_pool* pool_here = nullptr;

void hand_out(basic_worker<std_atomics, parker>* called) noexcept {
  if (called != nullptr) {
    called->parker.unpark();
  }
}

} // namespace

// Out of line: the caller may be an actor.
SMARM_NOINLINE blocking_pool* this_blocking_pool() noexcept {
  blocking_pool* here = pool_here;
  asm volatile("" : "+r"(here) : : "memory");
  return here;
}

blocking_pool::blocking_pool(runtime_state& owner)
    : owner_(owner), thread_name_(owner.settings.thread_name + "-blk"),
      idle_time_(owner.settings.blocking_idle_time.count()),
      queue_(owner.settings.blocking_threads, owner.settings.blocking_queue) {}

blocking_pool::~blocking_pool() {
  pool_worker* last = nullptr;
  if (queue_.deserted(last) && last != nullptr) {
    ::pthread_detach(last->thread); // of a runtime that nobody waited for; it may be this thread
  }
  while (newest_ != nullptr) {
    delete std::exchange(newest_, newest_->made_before);
  }
}

errc blocking_pool::post(blocking_job& job) noexcept {
  pool_worker* called = nullptr;
  switch (queue_.post(job, called, monotonic_now())) {
  case admission::refused: return errc::queue_full;
  case admission::queued: hand_out(called); break;
  case admission::wants_worker:
    if (!add_thread()) {
      auto refused = queue_.no_worker();
      while (!refused.empty()) {
        blocking_job& one = refused.front();
        refused.pop_front();
        one.error = errc::out_of_threads;
        one.answer();
      }
    }
    break;
  }
  return errc{};
}

bool blocking_pool::add_thread() noexcept {
  pool_worker* const fresh = take_record();
  if (fresh == nullptr) {
    return false;
  }
  fresh->keeps = shared_from_this();
  pthread_t id{};
  if (::pthread_create(&id, nullptr, [](void* worker) { return enter(worker); }, fresh) != 0) {
    fresh->keeps.reset();
    keep_record(*fresh);
    return false;
  }
  return true;
}

pool_worker* blocking_pool::take_record() noexcept {
  {
    const std::lock_guard guard(lock_);
    if (pool_worker* const one = spare_) {
      spare_ = one->next_spare;
      return one;
    }
  }
  auto* const fresh = new (std::nothrow) pool_worker;
  if (fresh != nullptr) {
    const std::lock_guard guard(lock_);
    fresh->made_before = std::exchange(newest_, fresh);
  }
  return fresh;
}

void blocking_pool::keep_record(pool_worker& spare) noexcept {
  const std::lock_guard guard(lock_);
  spare.next_spare = std::exchange(spare_, &spare);
}

// The thread's signal mask is that of the scheduler it was started from, as for the schedulers it is
// that of the thread which started them: a program that is started from here inherits it.
void* blocking_pool::enter(void* worker) noexcept {
  auto& me = *static_cast<pool_worker*>(worker);
  const std::shared_ptr<blocking_pool> pool = std::move(me.keeps);
  me.thread = ::pthread_self();
  ::pthread_setname_np(me.thread, pool->thread_name_.c_str());
  constexpr std::uint64_t usual_slack = 50'000; // a scheduler's is less, and would be inherited
  (void)exchange_timer_slack(usual_slack);
  pool_here = pool.get();
  pool->work(me);
  const bool was_last = me.is_last; // from here on somebody may join this thread and use the record
  if (auto* const before = static_cast<pool_worker*>(me.left_before)) {
    ::pthread_join(before->thread, nullptr);
    pool->keep_record(*before);
  }
  if (was_last) {
    pool->closer_.unpark();
  }
  return nullptr;
}

void blocking_pool::work(pool_worker& me) noexcept {
  queue_.begin();
  blocking_job* done = nullptr;
  for (;;) {
    blocking_job* next = nullptr;
    if (done != nullptr) {
      answering_.fetch_add(1, std::memory_order_relaxed);
    }
    const assignment what = queue_.next(me, done != nullptr, next, monotonic_now());
    if (done != nullptr) {
      done->answer(); // and is not touched any more
      done = nullptr;
      answering_.fetch_sub(1, std::memory_order_release);
    }
    switch (what) {
    case assignment::job:
      next->execute(*next);
      end_forked_child();
      done = next;
      break;
    case assignment::idle:
      if (!await_call(me)) {
        return;
      }
      break;
    case assignment::leave: return;
    }
  }
}

bool blocking_pool::await_call(pool_worker& me) noexcept {
  const auto called = [&me] { return me.called.load(std::memory_order_acquire); };
  const std::int64_t now = monotonic_now();
  const std::int64_t deadline = idle_time_ < no_deadline - now ? now + idle_time_ : no_deadline;
  if (!looking_.exchange(true, std::memory_order_relaxed)) {
    (void)me.pace.look_on(called, deadline);
    looking_.store(false, std::memory_order_relaxed);
  }
  while (!called()) {
    if (!me.parker.park(deadline) && queue_.give_up(me)) {
      return false;
    }
  }
  return true;
}

void blocking_pool::close() noexcept {
  while (pool_worker* const one = queue_.close()) {
    one->parker.unpark();
  }
}

void blocking_pool::join() noexcept {
  pool_worker* last = nullptr;
  while (!queue_.deserted(last)) {
    closer_.park();
  }
  if (last != nullptr) {
    ::pthread_join(last->thread, nullptr);
    keep_record(*last);
  }
}

// ---- What was left -------------------------------------------------------------------------------

void blocking_pool::add_left(blocking_job& job) noexcept {
  owner_.part_begins();
  const std::lock_guard guard(lock_);
  left_.push_back(job);
}

void blocking_pool::remove_left(blocking_job& job) noexcept {
  const std::lock_guard guard(lock_);
  left_.erase(left_.iterator_to(job));
}

void blocking_pool::left_job_ended() noexcept { owner_.part_ends(); }

std::vector<pid> blocking_pool::callers_of_left() const {
  std::vector<pid> out;
  for (std::size_t room = 8;; room *= 2) {
    out.reserve(room); // not under the lock
    const std::lock_guard guard(lock_);
    if (left_.size() <= out.capacity()) {
      for (const blocking_job& job : left_) {
        out.push_back(job.caller);
      }
      return out;
    }
  }
}

void blocking_pool::report_failure(blocking_job& job) noexcept {
  owner_.tell_made([&job] {
    return report{.kind = report_kind::callback_failed,
                  .actor = job.caller,
                  .parent = {},
                  .label = {},
                  .reason = exit_reason::failed(job.failure),
                  .text = "a blocking_detached call that nobody waits for any more threw: " +
                          what_of(job.failure)};
  });
}

void report_unseen_failure(blocking_pool& pool, blocking_job& job) noexcept {
  if (job.failure != nullptr) {
    pool.report_failure(job);
  }
}

blocking_pool& left_job_ends(blocking_job& job) noexcept {
  blocking_pool& pool = *job.pool;
  pool.remove_left(job);
  return pool;
}

void left_job_ended(blocking_pool& pool) noexcept { pool.left_job_ended(); }

// ---- As the runtime sees it ----------------------------------------------------------------------

blocking_pool& blocking_pool_of(runtime_state& owner) {
  if (blocking_pool* const present = owner.blocking_pool_if_any()) {
    return *present;
  }
  const quiet_allocation quiet; // under a lock
  return owner.plug_blocking_pool([&owner] { return std::make_shared<blocking_pool>(owner); });
}

void open_blocking_pool(blocking_pool& pool) noexcept { pool.open(); }
void close_blocking_pool(blocking_pool& pool) noexcept { pool.close(); }
void join_blocking_pool(blocking_pool& pool) noexcept { pool.join(); }
blocking_stats stats_of(blocking_pool& pool) noexcept { return pool.stats(); }
std::vector<pid> callers_of_left_calls(const blocking_pool& pool) { return pool.callers_of_left(); }
bool on_blocking_thread() noexcept { return this_blocking_pool() != nullptr; }
bool on_blocking_thread_of(const runtime_state& owner) noexcept {
  const blocking_pool* const here = this_blocking_pool();
  return here != nullptr && &here->owner() == &owner;
}

} // namespace smarm::detail
