// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What an actor can do to itself, in the manner of std::this_thread. On a plain thread each of these
// throws boost::system::system_error with errc::not_in_actor, unless said otherwise. In scheduler
// context, as inside run_on_thread_stack, what may suspend throws would_block_scheduler.

#ifndef SMARM_THIS_ACTOR_HPP
#define SMARM_THIS_ACTOR_HPP

#include <smarm/detail/wait.hpp>
#include <smarm/pid.hpp>

#include <chrono>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace smarm::this_actor {

namespace detail_ = smarm::detail;

// The calling actor's pid, also inside run_on_thread_stack; not_in_actor elsewhere. Neither suspends
// nor is a stop point.
[[nodiscard]] pid self();

// Gives the caller another label, or with an empty text none: reports, survivors of a shutdown and the
// message about a stack overflow show it. Copied. Works inside run_on_thread_stack too. Throws
// std::bad_alloc, the label being as it was. Neither suspends nor is a stop point.
void label(std::string_view text);

// The caller's label, from spawn_options or as it was set last; empty if it has none. Works inside
// run_on_thread_stack too. Throws std::bad_alloc. Neither suspends nor is a stop point.
[[nodiscard]] std::string label();

// True in an actor, which may wait; false on a plain thread and in scheduler context. Never throws,
// neither suspends nor is a stop point.
[[nodiscard]] bool is_actor() noexcept;

// The number of the scheduler that runs the caller right now; another one after any suspension. Works
// in scheduler context too. Neither suspends nor is a stop point.
[[nodiscard]] unsigned scheduler();

namespace impl {
// Throws would_block_scheduler in scheduler context, and not_in_actor on a plain thread.
[[noreturn]] void refuse(const char* call);
// The actor whose code this is, also inside run_on_thread_stack. Throws not_in_actor elsewhere.
[[nodiscard]] detail_::slot& caller(const char* call);
// Whether it is a call of run_on_thread_stack that runs here.
[[nodiscard]] bool on_thread_stack() noexcept;

SMARM_ALWAYS_INLINE detail_::scheduler& here(const char* call) {
  detail_::scheduler* s = detail_::current_scheduler();
  if (SMARM_UNLIKELY(s == nullptr || !s->is_actor(s->current))) {
    refuse(call);
  }
  return *s;
}
void slice_check(detail_::scheduler& s, detail_::slot& me) noexcept;
void sleep_until(std::int64_t deadline);
} // namespace impl

// Lets every other ready actor have its turn first. Suspends if there is one. Stop point.
SMARM_ALWAYS_INLINE void yield() {
  detail_::scheduler& s = impl::here("this_actor::yield");
  detail_::slot& me = *s.current;
  detail_::stop_point(s, me);
  if (s.yield(me)) {
    detail_::stop_point(*detail_::current_scheduler(), me);
  }
}

// Yields if the caller has used up its slice, see config::timeslice_cycles. For loops that compute
// long without waiting. Costs about a nanosecond, since the clock is read only now and then: at every
// 16th call where they follow each other closely, at each where they are far apart; the first few
// of a turn only begin the slice. May suspend. Stop point.
SMARM_ALWAYS_INLINE void checkpoint() {
  detail_::scheduler& s = impl::here("this_actor::checkpoint");
  detail_::slot& me = *s.current;
  if (SMARM_UNLIKELY(--s.checkpoints == 0)) {
    impl::slice_check(s, me);
  }
  detail_::stop_point(*detail_::current_scheduler(), me);
}

// Suspends the caller for at least that long; a yield if that is no time at all. Stop point.
template <class Rep, class Period>
void sleep_for(const std::chrono::duration<Rep, Period>& duration) {
  impl::sleep_until(detail_::deadline_after(duration));
}

// Suspends the caller until that time of the steady clock; a yield if it is past. Stop point.
template <class Clock, class Duration>
void sleep_until(const std::chrono::time_point<Clock, Duration>& time) {
  impl::sleep_until(detail_::deadline_of(time));
}

// Whether the caller was asked to stop or to shut down; for loops that want to end in good order.
// Works inside run_on_thread_stack too. Neither suspends nor is a stop point.
[[nodiscard]] bool stop_requested();

// Runs `f` on the thread's own, large stack and returns what it returns; an exception comes through.
// For foreign code that needs more stack than the actor has. In `f` nothing may wait: what would
// suspend fails with errc::would_block_scheduler, thrown or returned as each function says; what only
// asks, sends or spawns works, and a call inside a call runs its function where it is. Other actors of
// this scheduler wait meanwhile. The actor stays on its scheduler: not a suspension, and no stop point.
// Throws what `f` throws; would_block_scheduler where other code runs on a scheduler, as in a message
// that a timer destroys.
template <class F>
std::invoke_result_t<F> run_on_thread_stack(F&& f);

} // namespace smarm::this_actor

namespace smarm {

// While one of these lives, no stop is raised in the actor that made it, and its waits are not ended
// by one; the request stays set and is raised at the first stop point afterwards. Nests. Inside
// run_on_thread_stack it is the actor's; not_in_actor elsewhere on a scheduler. Neither the constructor
// nor the destructor suspends or is a stop point.
//
// A destructor that waits needs one if it must not be interrupted: while an exception unwinds no stop
// is raised, but at the normal end of a scope the wait is a stop point, and what it raises there meets
// a noexcept destructor.
class disable_stop {
public:
  disable_stop();
  disable_stop(const disable_stop&) = delete;
  disable_stop& operator=(const disable_stop&) = delete;
  ~disable_stop();

private:
  detail::slot& self_;
};

// While one of these lives, checkpoint() does not yield, and no stop is raised. Waits and yields
// still suspend. Nests. Errors, suspension and stop points as with disable_stop.
class no_preempt {
public:
  no_preempt();
  no_preempt(const no_preempt&) = delete;
  no_preempt& operator=(const no_preempt&) = delete;
  ~no_preempt();

private:
  detail::slot& self_;
};

} // namespace smarm

#include <smarm/impl/this_actor.hpp>

#endif
