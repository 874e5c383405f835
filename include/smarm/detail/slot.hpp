// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A slot: the control block of one actor at a time. Slots live in segments that are never unmapped
// and never move (slot_table.hpp), so a slot pointer may be followed at any time by anybody; what
// protects a waker from acting on a later tenant is the (generation, epoch) ticket in the slot word.

#ifndef SMARM_DETAIL_SLOT_HPP
#define SMARM_DETAIL_SLOT_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/join_word.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/detail/relaxed.hpp>
#include <smarm/detail/slot_word.hpp>
#include <smarm/detail/stop_word.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/pid.hpp>
#include <smarm/wait_kind.hpp>

#include <boost/context/detail/fcontext.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace smarm::detail {

class runtime_state;
struct actor_record;
struct segment;
class stack;
struct task_node;

// What a call of a slot's entry came back with: the actor ended, or it idles without a stack.
enum class step_result : std::uint8_t { finished, parked };

// What a slot stands for that is no actor: a plain thread, or a function that is to be called. Never
// freed, since whoever ends a wait may come to this after it has been used for the next one.
class outside_waiter {
public:
  // Of the slot that was made Queued; from any thread, which it neither blocks nor lets switch.
  virtual void ready() noexcept = 0;

protected:
  ~outside_waiter() = default;
};

// Touched by the actor itself only, while it runs.
struct actor_masks {
  std::uint16_t stops = 0;     // disable_stop scopes
  std::uint8_t preemption = 0; // no_preempt scopes; no_preempt refuses one too many
  bool wait_open : 1 = false;   // a wait scope is open: nothing may switch
  bool stop_raised : 1 = false; // a stop was raised at least once, or heeded: the ending is `stopped`
  bool is_root : 1 = false;     // the body of runtime::run
  bool ending : 1 = false;      // one of `stops` is for its last call only: urgent ones are raised
  bool reason_given : 1 = false; // the last step has put how it ended into `outcome`
  bool deep_stack : 1 = false;   // it has parked deep down its stack: the stack keeps account
  // A server that waits for its next message and keeps its stack meanwhile. Also read by who holds it.
  bool between_callbacks : 1 = false;

  // Asked at each wait, just after wait_open was written: so not as one word with that.
  [[nodiscard]] bool none() const noexcept { return stops == 0 && preemption == 0; }
  // Stops are masked since the actor is ending, and for no other reason.
  [[nodiscard]] bool only_ends() const noexcept { return ending && stops == 1 && preemption == 0; }
};

#ifndef SMARM_BUDGET
#define SMARM_BUDGET 0
#endif
// Whether each actor's time on a processor is counted (b2 budget-accounting=on).
inline constexpr bool budgeting = SMARM_BUDGET != 0;

inline constexpr std::size_t inline_closure_size = budgeting ? 56 : 64;
inline constexpr std::uint8_t not_pinned = 0xff; // there are fewer schedulers, see idle_set.hpp

struct alignas(line_pair) slot {
  // First line: what a switch, a wake and a stop touch.

  // Who may write which state is the transition table of slot_word.hpp.
  slot_word word;
  // The saved context while the actor is off the processor. Null: nothing is on a stack, the actor
  // starts by a call of `entry`. Written by its successor before the word is published.
  relaxed<boost::context::detail::fcontext_t> context;
  // The stack under `context`; null while the actor owns none. Same writer.
  relaxed<detail::stack*> stack;
  // The runtime the present tenant belongs to; null for the slot of a plain thread.
  relaxed<runtime_state*> runtime;
  // Writers: request_stop, and the spawner before it publishes; see stop_word.hpp.
  stop_word stop;
  step_result (*entry)(slot&) = nullptr;
  actor_masks masks;
  // What the present or the last wait is for, and since when (coarse_clock.hpp). Written by the actor
  // before it parks (release), read by anybody (acquire), who then looks whether the word is what it
  // was: a value of a later wait brings the word of that wait with it.
  std::atomic<std::uint32_t> waiting_since{0};
  std::atomic<wait_kind> waits_for{wait_kind::nothing};
  std::uint8_t fair_selects = 0; // how many there were: where the next one begins its search
  std::uint8_t pinned_to = not_pinned;
  // While somebody looks at a parked actor and keeps it from going on (held_actor), how it is parked: its word
  // says that it runs. Else running. Written by that one, read by anybody, between two readings of the word.
  std::atomic<slot_state> held_as{slot_state::running};
  // Writers: the ending and the holder of the handle; see join_word.hpp.
  join_word join;

  // Second line: the entry's closure if it is small enough.
  alignas(cache_line) std::byte closure[inline_closure_size];
#if SMARM_BUDGET
  // Cycles of the time-stamp counter spent running. Single writer: the scheduler that runs it.
  std::atomic<std::uint64_t> budget_cycles{0};
#endif

  // Third and fourth line: touched a few times in a life.

  // Who joins; part of `join`.
  alignas(cache_line) basic_joiner<std_atomics, slot> joiner;
  // The spawner: index << 32 | generation, so that a sweep can read it without a lock.
  std::atomic<std::uint64_t> parent{0};
  slot* next = nullptr; // free lists; a scheduler's pinned and the runtime's starved actors
  std::uint32_t index = 0;
  // How deep it was seen to park, and how often it gave stack back: stack_account.hpp. Written by the
  // scheduler that switches away from it (release), read by anybody (acquire).
  std::atomic<std::uint32_t> stack_account{0};
  segment* home = nullptr; // the segment this slot is part of
  // What only some actors have, see actor_record.hpp; owned. Written under record_lock, or before the
  // actor is published; release, for the actor itself, and the scheduler that starts it, read it
  // without the lock (acquire). Everybody else needs it.
  std::atomic<actor_record*> record{nullptr};
  raw_lock record_lock;
  exit_reason outcome; // from the ending until the slot is given back
  // Counters of the present tenant; single writer: the actor's own thread, and the spawner before it
  // publishes. Release, for who reads them from outside (acquire) and then looks at the generation.
  std::atomic<std::uint64_t> messages_received{0};
  std::atomic<std::uint32_t> overruns{0};
  // When its behaviour began, in seconds of the monotonic clock. The actor's own.
  std::uint32_t behaves_since = 0;
  // The task of a group that this actor is, else null. The actor's own.
  task_node* task = nullptr;
  // Whom it waits for, if `waits_for` is one of these; written and read as that. A lock: the pid of the
  // actor that held it when the wait began, packed as `parent`, 0 if that was nobody or a plain thread.
  // A join, a reply, room: the slot of the actor that is to end, to answer or to take something out,
  // which is its tenant for as long as this waits; 0 if that is not known. A reply from a pool: a
  // reply_route on the actor's stack, for who keeps it from going on.
  std::atomic<std::uint64_t> waits_on{0};
  // What others find the actor's behaviour by, if it has one: a higher layer's. Written by the actor
  // (release, for who reads it under record_lock, acquire), and to null under record_lock before what
  // it points to is let go.
  std::atomic<void*> behaviour{nullptr};
  // Who is told that a wait of this slot has ended, if it stands for no actor, else null.
  outside_waiter* outsider = nullptr;

  // The actor is about to wait; `now` is of the coarse clock.
  SMARM_ALWAYS_INLINE void begin_waiting(wait_kind what, std::uint32_t now) noexcept {
    waiting_since.store(now, std::memory_order_release);
    waits_for.store(what, std::memory_order_release);
  }

  [[nodiscard]] pid id() const noexcept { return {index, word.snapshot().generation}; }
};

static_assert(sizeof(slot) == 4 * cache_line);

} // namespace smarm::detail

#endif
