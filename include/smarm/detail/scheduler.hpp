// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One scheduler: an OS thread that runs actors. The fast paths of wake and spawn are here, those of yield and
// park in impl/scheduler.hpp, so that they are inlined where the user calls them. What is rare is in
// scheduler.cpp, what looks for work in next_ready.cpp, and what gives a fresh actor its stack in
// host_loop.cpp.
//
// Where an actor runs. What starts fresh (slot.context is null) is called by a host loop, which
// sits on a pooled stack. If it ends, the loop goes on with the next; if it waits, the loop's frame
// stays below it on that stack, which the actor then owns, and the scheduler goes on with another
// host. When such an actor ends, the loop below it is the scheduler's host again.

#ifndef SMARM_DETAIL_SCHEDULER_HPP
#define SMARM_DETAIL_SCHEDULER_HPP

#include <smarm/detail/build_choices.hpp>
#include <smarm/detail/coarse_clock.hpp>
#include <smarm/detail/config.hpp>
#include <smarm/detail/context.hpp>
#include <smarm/detail/coordinator.hpp>
#include <smarm/detail/cycles.hpp>
#include <smarm/detail/drawn_order.hpp>
#include <smarm/detail/handover.hpp>
#include <smarm/detail/life_account.hpp>
#include <smarm/detail/node_pool.hpp>
#include <smarm/detail/relaxed.hpp>
#include <smarm/detail/run_queue.hpp>
#include <smarm/detail/slot.hpp>
#include <smarm/detail/run_pace.hpp>
#include <smarm/detail/slot_cache.hpp>
#include <smarm/detail/stack_cache.hpp>
#include <smarm/detail/this_scheduler.hpp>
#include <smarm/detail/timers.hpp>
#include <smarm/detail/trace.hpp>

#include <pthread.h>

#include <atomic>
#include <cstdint>

namespace smarm::detail {

class runtime_state;

// Of an actor that was just given the processor it is the third checkpoint that reads the time-stamp
// counter: who takes a message or two a turn pays for no reading.
inline constexpr unsigned first_look = 3;

// Bytes of stack in use at a park from which on the stack keeps account, see stack::note_park.
inline constexpr std::uintptr_t deep_parks = 16 * 1024;

struct alignas(line_pair) scheduler {
  scheduler(runtime_state& owner, unsigned number);
  ~scheduler();

  // Ready queue -------------------------------------------------------------------------------

  // The actor to run next, or null. Every so often looks at the clock, due timers, the idle driver
  // and the queues that are rarely used.
  SMARM_ALWAYS_INLINE slot* next_ready() noexcept {
    if (SMARM_UNLIKELY(--checks == 0)) {
      return next_ready_after_checks();
    }
    if (SMARM_UNLIKELY(wake_slot_entry != nullptr)) {
      return take_wake_slot();
    }
    slot* s = queue.pop();
    if (SMARM_LIKELY(s != nullptr)) {
      prefetch();
    }
    return s;
  }

  // A woken actor of this runtime becomes ready; called by the actor that woke it.
  SMARM_ALWAYS_INLINE void make_ready(slot& s) noexcept {
    note(event_kind::wake, s);
    queue_woken(s);
  }
  // The same, but nobody woke it just now.
  void make_ready_again(slot& s) noexcept;

  SMARM_ALWAYS_INLINE void queue_woken(slot& s) noexcept {
    if (SMARM_UNLIKELY(s.pinned_to != not_pinned || use_wake_slot)) {
      make_ready_specially(s);
      return;
    }
    push_ready(s);
  }

  // A newly spawned actor becomes ready. As with a wake, one that is alone in the queue calls no
  // sibling: most parents wait next, or end. Behind one that goes on computing the standby finds it.
  SMARM_ALWAYS_INLINE void make_ready_fresh(slot& s) noexcept {
    note(event_kind::spawn, s);
    if (SMARM_UNLIKELY(s.pinned_to != not_pinned)) {
      make_ready_specially(s);
      return;
    }
    push_ready(s);
  }

  SMARM_ALWAYS_INLINE void push_ready(slot& s) noexcept {
    const bool was_empty = queue.push(&s);
    if (!solo && !was_empty && SMARM_UNLIKELY(coordination->somebody_to_tell())) {
      offer_surplus();
    }
  }

  // Switching ---------------------------------------------------------------------------------

  // Lets every other ready actor go first. False, at once, when none was ready. Not a stop point by
  // itself.
  bool yield(slot& me) noexcept;

  // Suspends the caller until it is woken. A wait scope (wait.hpp) calls this, nobody else.
  void park(slot& me, handover how) noexcept;

  // A slot was popped from a queue: from here on it is this scheduler's to run.
  SMARM_ALWAYS_INLINE void claim(slot& next) noexcept {
    if (SMARM_UNLIKELY(!next.word.claim())) {
      double_entry(next);
    }
  }

  // Whether a claimed slot has a stack to run on, or there is one for it. If there is none to be
  // had, the actor now waits among the starved of the runtime.
  SMARM_ALWAYS_INLINE bool has_host(slot& next) noexcept {
    return SMARM_LIKELY(next.context != nullptr || spare_host != nullptr) || find_host(next);
  }

  SMARM_ALWAYS_INLINE void set_current(slot& next) noexcept {
    current = &next;
    checkpoints = first_look;
    switches.add();
  }

  // Jumps to `next`, which was made runnable, and comes back when somebody resumes `me`, possibly
  // on another thread.
  void switch_to(slot& me, slot& next, handover what) noexcept;

  // Runs on the successor's stack, first thing.
  static void land(transfer_t from, fiber_state& mine) noexcept;

  // An actor that yielded: to the end of the queue.
  void requeue(slot& s) noexcept;

  // Before the park is published. An actor that stays near the top of its stack is not accounted
  // for: that would cost a cache line of the stack at every park.
  void watch_depth(slot& left, fcontext_t saved) noexcept;
  void publish_parked(slot& left) noexcept;

  // The slot's actor was running up to now; it is not published yet.
  SMARM_ALWAYS_INLINE void charge([[maybe_unused]] slot& ran) noexcept {
#if SMARM_BUDGET
    const std::uint64_t now = cycles_now();
    ran.budget_cycles.store(ran.budget_cycles.load(std::memory_order_relaxed) + now - resumed_at,
                            std::memory_order_release);
    resumed_at = now;
#endif
  }

  void see_clock(std::int64_t now) noexcept {
    coarse_now = now;
    coarse_tick = coarse_tick_of(now);
  }

  // A line in the trace, while there is one. Switches have their own, in switch_to.
  SMARM_ALWAYS_INLINE void note(event_kind what, const slot& s) noexcept {
    if (is_tracing() && is_actor(&s)) {
      trace_actor(what, s);
    }
  }

  [[nodiscard]] SMARM_ALWAYS_INLINE bool is_actor(const slot* s) const noexcept {
    return s != &idle;
  }
  // False while a stop may not be raised: masked, preemption off, or an exception is on its way.
  [[nodiscard]] SMARM_ALWAYS_INLINE bool may_raise(const slot& me) const noexcept {
    return me.masks.none() ? exceptions->uncaught == 0 : hears_urgent(me);
  }

  // Rare or long --------------------------------------------------------------------------------

  void run();                                        // the thread's loop
  void reset_counters() noexcept;                    // before a run
  bool hears_urgent(const slot& me) const noexcept;  // asked more urgently than stops are masked
  slot* next_ready_after_checks() noexcept;          // resets `checks`
  void offer_surplus() noexcept;                     // to a sibling that sleeps
  void date_wait(slot& me) noexcept; // if it ran for long: nobody else runs who would have looked
  slot* take_wake_slot() noexcept;
  void make_ready_specially(slot& s) noexcept;       // pinned, or through the wake slot
  bool find_host(slot& next) noexcept;               // false: queued among the starved
  bool refill_host() noexcept;                       // false: no stack to be had
  fcontext_t board(slot& next) noexcept;             // gives a fresh slot the spare host
  void deliver_pinned(slot& s) noexcept;             // from any thread

  // What the coordinator asks of a scheduler that has nothing to do.
  bool take(bool lone) noexcept;
  [[nodiscard]] bool pending(bool lone) const noexcept;
  [[nodiscard]] bool finished() noexcept;
  void on_thread_stack(slot& me, errand& what) noexcept; // runs it there, then returns
  static void note_deep_park(slot& left, fcontext_t saved) noexcept;
  void land_rarely(transfer_t from, fiber_state& mine) noexcept;
  void jump_with_exceptions(slot& me, slot& next, fcontext_t target, handover what) noexcept;
  [[noreturn]] void double_entry(const slot& s) const noexcept;

  // State, touched by the owning thread only unless said otherwise ------------------------------

  relaxed<slot*> current; // the idle slot when it runs none; read by anybody
  exception_globals* exceptions = nullptr;
  coordinator* coordination = nullptr;
  stack* spare_host = nullptr;
  stack* boarding = nullptr;  // the host that was just jumped to
  slot* taken = nullptr;      // what `take` found
  slot* errand_of = nullptr;  // the actor that waits for its errand on the thread's own stack
  errand* present_errand = nullptr;
  slot* on_errand = nullptr;  // whose errand runs at the moment
  slot* wake_slot_entry = nullptr;
  slot_cache vacant;
  unsigned checks = 1;
  drawn_order* order = nullptr; // where chance decides who is next: a test runtime's
  bool solo = false;
  bool use_wake_slot = false;
  unsigned wake_slot_run = 0; // hand-overs through the wake slot since the queue was last served
  unsigned checkpoints = 1;        // until the next one that reads the time-stamp counter
  unsigned checkpoint_stride = 16; // from the last one that did to the next
  std::uint32_t coarse_tick = 0;   // of coarse_now
  std::uint64_t slice_start = 0;   // time-stamp counter at the slice's first reading
  std::uint64_t slice_reading = 0; // and at its last one
  std::uint64_t slice_of = 0;      // `switches` in the slice that the two belong to
  run_queue<slot>::local queue;

  stack_cache stacks;
  node_pool nodes;
  timer_set timers; // armed by the owner, fired and cancelled by anybody: has its own lock
  slot idle;        // stands for the thread's own context
  [[no_unique_address]] fiber_state idle_fiber;
  slot* pinned_first = nullptr; // ready actors that must run here
  slot* pinned_last = nullptr;
  std::uint64_t next_look = 0; // time-stamp counter: when to look at clock, timers and driver again
  bool poll_due = false; // found out by who looked on an actor's stack; the thread's loop polls
  run_pace pace;
  std::uint64_t next_sweep = 0; // likewise: when a busy scheduler may sweep again
  relaxed<std::int64_t> coarse_now; // the clock at the last look; read by anybody

  // The thread that runs this, for as long as `online`; set by it, read by anybody.
  pthread_t thread{};
  int thread_number = 0; // the system's
  std::atomic<bool> online{false};
  runtime_state& runtime;
  const unsigned id;
  counter spawned, ended;
  counter switches, wake_slot_hits, wake_slot_displacements;
  counter overruns;
  // By the time-stamp counter: for how long it had nothing to do, and since when; 0: it has. Only for
  // those who look.
  counter idle_cycles;
  relaxed<std::uint64_t> idle_since;
#if SMARM_BUDGET
  std::uint64_t resumed_at = 0; // time-stamp counter: when the present actor was given the processor
#endif
  trace_place traces;

  // Pinned actors woken elsewhere; pushed by anybody, taken whole by the owner.
  alignas(line_pair) std::atomic<slot*> pinned_mail{nullptr};

private:
  fiber_state& fiber_of(slot& s) noexcept;
  void jump_from(slot& me, slot& next, fcontext_t target, handover what) noexcept;

  // Brings the lines of the actors that will run next.
  SMARM_ALWAYS_INLINE void prefetch() const noexcept {
    if (slot* after = queue.peek(1)) {
      __builtin_prefetch(after);
    }
  }

  void run_errand() noexcept;
  void run_claimed(slot& next) noexcept;
  void release_resources() noexcept;
  slot* scan_for_work() noexcept;
  bool look_around() noexcept; // true: it is time to poll the driver
  slot* next_ready_from_anywhere() noexcept;
  slot* take_pinned() noexcept;
  slot* take_starved() noexcept;
  [[noreturn]] static void host_loop(stack& mine);
  static void enter_host(transfer_t from);
  friend class runtime_state;
};

} // namespace smarm::detail

#include <smarm/detail/impl/scheduler.hpp>

#endif
