// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/timers.hpp>

#include <smarm/detail/exception_globals.hpp>
#include <smarm/detail/futex.hpp>
#include <smarm/detail/simulation.hpp>
#include <smarm/detail/wake.hpp>

#include <algorithm>
#include <mutex>

namespace smarm::detail {
namespace {

// User code in a callback runs in scheduler context, though this may be the middle of an actor's yield
// or park, on that actor's stack. Then two things are the actor's and are put aside. That it is
// current: without it whatever would suspend is refused, no stop is raised, and allocations are no
// checkpoints, for all of these ask for the current actor's masks. And its exceptions, which the
// callback must neither see nor rethrow. The actor's wait is not open here, and nothing switches, so
// the scheduler stays the same.
class callback_context {
public:
  callback_context() noexcept
      : here_(*current_scheduler()), actor_(here_.current), exceptions_(*here_.exceptions) {
    here_.current = &here_.idle;
  }
  callback_context(const callback_context&) = delete;
  callback_context& operator=(const callback_context&) = delete;
  ~callback_context() {
    exceptions_.restore(*here_.exceptions);
    here_.current = actor_;
  }

private:
  scheduler& here_;
  slot* const actor_;
  const saved_exceptions exceptions_;
};

// Of one that has slept long, what it will touch first when it runs again is on a page that nobody
// has looked at since: the processor may begin to look for it while the others are woken. What is
// read here may be out of date, which costs a line in the cache and no more.
void expect_to_run(const slot& sleeper) noexcept {
  constexpr std::uintptr_t most = 8 * cache_line; // a few frames
  const auto saved = reinterpret_cast<std::uintptr_t>(sleeper.context.load());
  const auto top = reinterpret_cast<std::uintptr_t>(sleeper.stack.load());
  if (saved == 0 || top <= saved) { // it has no stack, or another has it by now
    return;
  }
  const std::uintptr_t end = std::min(top, saved + most);
  for (std::uintptr_t line = saved; line < end; line += cache_line) {
    __builtin_prefetch(reinterpret_cast<const void*>(line), 1);
  }
}

} // namespace

std::int64_t monotonic_now() noexcept { return linux_futex::now(); }

// From the world's clock, before which none begins: who makes a runtime may itself live by another.
timer_set::timer_set(coordinator& wakes, unsigned scheduler_id) noexcept
    : wheel_(world_now()), wakes_(wakes), id_(scheduler_id) {}

timer_set::~timer_set() { clear(); }

void timer_set::publish_deadline() noexcept {
  const std::int64_t next = wheel_.next_deadline_ns();
  if (next != published_) {
    published_ = next;
    // Whichever wheel it is: a scheduler of this runtime that is awake sees to it that somebody will
    // keep time when it goes on, or does so itself when it sleeps.
    const scheduler* here = current_scheduler();
    if (here != nullptr && here->coordination == &wakes_) {
      wakes_.note_own_deadline(id_, next);
    } else {
      wakes_.note_deadline(id_, next);
    }
  }
}

bool timer_set::arm(timer& t, std::int64_t deadline) noexcept {
  const std::lock_guard guard(lock_);
  if (SMARM_UNLIKELY(closed_)) {
    return false;
  }
  if (t.armed_in != this) { // else somebody may be reading it
    t.armed_in = this;
  }
  wheel_.arm(t, deadline);
  // Arming can only bring the next deadline forward; looking for it anew is not worth it otherwise.
  if (deadline < published_) {
    publish_deadline();
  }
  return true;
}

bool timer_set::disarm(timer& t) noexcept {
  timer_set* set = t.armed_in;
  if (set == nullptr) {
    return false;
  }
  const std::lock_guard guard(set->lock_);
  // The published deadline may now be too early: one look at the clock for nothing, no more.
  return set->wheel_.cancel(t);
}

std::size_t timer_set::fire_due(std::int64_t now) noexcept {
  constexpr std::size_t batch = 32;
  struct due {
    registration wait;
    callback_timer* block;
  };
  due taken[batch];
  std::size_t fired = 0;
  const std::size_t limit = size(); // what a callback arms at once comes with the next look
  bool calling = false;             // the callbacks are ours
  for (;;) {
    std::size_t count = 0;
    {
      const std::lock_guard guard(lock_);
      if (calling && first_due_ != nullptr) {
        now = monotonic_now(); // they were found later than we looked
      }
      while (calling && count < batch && first_due_ != nullptr) {
        taken[count++] = {{}, first_due_};
        first_due_ = first_due_->next_due;
      }
      while (count < batch && fired < limit) {
        auto* t = static_cast<timer*>(wheel_.expire(now));
        if (t == nullptr) {
          break;
        }
        ++fired;
        if (t->who != nullptr) {
          // Slots of sleepers are cold; the wakes below come in a row.
          __builtin_prefetch(t->who, 1);
          // Must not be touched once the lock is released, since its wait may end.
          taken[count++] = {{t->who, t->ticket}, nullptr};
        } else if (!called_ || calling) {
          called_ = calling = true;
          taken[count++] = {{}, static_cast<callback_timer*>(t)};
        } else { // somebody is calling those before it
          auto* block = static_cast<callback_timer*>(t);
          block->next_due = nullptr;
          (first_due_ != nullptr ? last_due_->next_due : first_due_) = block;
          last_due_ = block;
        }
      }
      if (count < batch) {
        publish_deadline();
      }
      if (count == 0 && calling) {
        called_ = false;
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (taken[i].block != nullptr) {
        const callback_context in_scheduler_context;
        taken[i].block->call(*taken[i].block, now);
      } else {
        expect_to_run(*taken[i].wait.who);
        if (is_tracing()) {
          trace_actor(event_kind::timer, *taken[i].wait.who);
        }
        wake(taken[i].wait);
      }
    }
    if (count == 0 || (count < batch && !calling)) {
      return fired;
    }
  }
}

void timer_set::clear() noexcept {
  for (;;) {
    timer* t = nullptr;
    {
      const std::lock_guard guard(lock_);
      closed_ = true;
      t = static_cast<timer*>(wheel_.take_any());
    }
    if (t == nullptr) {
      return;
    }
    SMARM_ASSERT(t->who == nullptr && "a wait outlived its run");
    if (SMARM_LIKELY(t->who == nullptr)) {
      auto& block = static_cast<callback_timer&>(*t);
      block.destroy(block);
    }
  }
}

void timer_set::open() noexcept {
  const std::lock_guard guard(lock_);
  closed_ = false;
}

std::size_t timer_set::size() noexcept {
  const std::lock_guard guard(lock_);
  return wheel_.size();
}

} // namespace smarm::detail
