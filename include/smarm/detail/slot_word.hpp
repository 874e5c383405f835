// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The scheduling state of one slot in one 64-bit word: who lives here (generation), which of its
// waits is the current one (epoch), and what it does (state). Whatever makes an actor run, wait, go
// on or end goes through the operations below; each is one atomic step, and those that only the
// owner of a state may take are plain stores.
//
//   vacant -> queued -> running -> parked (or parked_masked) -> queued
//                       running -> notified -> queued    a wake came before the park
//                       running -> done -> vacant        of the next generation
//
// Who may write which word:
//   vacant    the spawner that took the slot from the free list
//   queued    whoever popped its one entry from a run queue
//   running   the scheduler it runs on; wakers that hold the ticket of its open wait
//   notified  the scheduler it runs on
//   parked    wakers that hold the ticket; a stop, unless parked_masked; where it is
//             parked_unless_urgent, only one that is urgent
//   done      whoever reclaims the slot
//
// Who looks at a parked actor's stack takes the scheduler's part for a while: hold() makes the word
// running again, with its wait still open, so that a wake only notes itself; then the park is published
// anew, and what must follow a park follows this one, too.
//
// A wait takes its ticket with begin_wait, hands it to wakers, and ends by park or by retire, never
// otherwise: the wake that ends a park and retire both consume the epoch, which is why begin_wait
// need not. A yield leaves the word running while its entry stands in a run queue: no wait is open
// then, so no waker matches, and a stop does not touch a running word. So a stop may miss: it sets
// its flag (seq_cst) and then calls stop_wake; the scheduler looks at the flag (seq_cst) after each
// park and then calls stop_wake itself. One of the two sees the other.

#ifndef SMARM_DETAIL_SLOT_WORD_HPP
#define SMARM_DETAIL_SLOT_WORD_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/config.hpp>

#include <atomic>
#include <cstdint>

namespace smarm::detail {

enum class slot_state : std::uint8_t {
  vacant,
  queued,
  running,
  notified,
  parked,
  parked_masked,        // a stop may not end this wait
  parked_unless_urgent, // only an urgent one may, see stop_word.hpp
  done
};

enum class slot_status { stale, done, live };

// What a wake did. After `enqueue` the caller owns the one entry and must put it into a run queue.
enum class wake_result { nothing, notified, enqueue };

// Generation and epoch: names one wait of one actor.
using wait_ticket = std::uint64_t;

struct slot_snapshot {
  std::uint32_t generation;
  std::uint32_t epoch;
  slot_state state;
};

template <class Atomics, bool Checked = SMARM_CHECKED != 0>
class basic_slot_word {
public:
  basic_slot_word() noexcept : basic_slot_word(0) {}
  explicit basic_slot_word(std::uint32_t generation) noexcept
      : word_(pack(generation, slot_state::vacant)) {}

  // ---- the spawner, which owns a vacant slot

  // From here on the actor can be popped, woken and stopped.
  void publish_queued() noexcept {
    const word w = word_.load(std::memory_order_relaxed);
    SMARM_ASSERT(state_of(w) == slot_state::vacant);
    word_.store(with_state(w, slot_state::queued), std::memory_order_release);
  }

  // ---- the scheduler

  // After the entry was popped. False: this was not the one entry of a runnable actor, and nothing
  // was changed. A store will do, for nobody else may write a queued word; acquires what the last
  // run left behind, releases it again to those who read the word while the actor runs.
  [[nodiscard]] SMARM_ALWAYS_INLINE bool claim() noexcept {
    word w = word_.load(std::memory_order_acquire);
    if constexpr (Checked) {
      return state_of(w) == slot_state::queued &&
             word_.compare_exchange_strong(w, with_state(w, slot_state::running),
                                           std::memory_order_acq_rel, std::memory_order_relaxed);
    } else if (state_of(w) == slot_state::queued) {
      word_.store(with_state(w, slot_state::running), std::memory_order_release);
      return true;
    } else {
      return state_of(w) == slot_state::running; // it had yielded
    }
  }

  // The actor yielded and its context is saved; the caller puts it into a run queue next. Costs
  // nothing unless Checked, where even a yielded actor can be claimed only once.
  SMARM_ALWAYS_INLINE void requeue() noexcept {
    if constexpr (Checked) {
      word w = word_.load(std::memory_order_relaxed);
      [[maybe_unused]] const bool was_running =
        state_of(w) == slot_state::running &&
        word_.compare_exchange_strong(w, with_state(w, slot_state::queued),
                                      std::memory_order_acq_rel, std::memory_order_relaxed);
      SMARM_ASSERT(was_running);
    }
  }

  // The actor waits and its context is saved. False: its wake came first, and the caller enqueues
  // it. After true the caller looks at the stop flag, see above; seq_cst for that.
  [[nodiscard]] SMARM_ALWAYS_INLINE bool park(bool masked) noexcept {
    return park_as(parked_as(masked));
  }
  // The same for a wait that an urgent stop may end; after true the caller looks for one.
  [[nodiscard]] bool park_unless_urgent() noexcept {
    return park_as(slot_state::parked_unless_urgent);
  }

  // The same for a wait that nobody can wake yet, because it is registered after this by one
  // read-modify-write. A store will do. If the registration finds the wait over already, the caller
  // takes the park back with wake(ticket), for a stop may have done so before; then, in any case,
  // it looks at the stop flag. The read-modify-write between this store and that load orders them
  // on x86, release before seq_cst load on aarch64.
  SMARM_ALWAYS_INLINE void park_unregistered(bool masked) noexcept {
    const word w = word_.load(std::memory_order_relaxed);
    SMARM_ASSERT(state_of(w) == slot_state::running);
    word_.store(with_state(w, parked_as(masked)), std::memory_order_release);
  }

  // The actor has ended. No wait is open, so the word is the scheduler's own.
  void finish() noexcept {
    const word w = word_.load(std::memory_order_relaxed);
    SMARM_ASSERT(state_of(w) == slot_state::running);
    word_.store(pack(generation_of(w), slot_state::done), std::memory_order_release);
  }

  // Makes room for the next generation. False: there is none, and the slot must not be used again
  // lest an old pid name a new actor; the word stays done.
  [[nodiscard]] bool reclaim() noexcept {
    const word w = word_.load(std::memory_order_relaxed);
    SMARM_ASSERT(state_of(w) == slot_state::done);
    if (generation_of(w) == last_generation) {
      return false;
    }
    word_.store(pack(generation_of(w) + 1, slot_state::vacant), std::memory_order_release);
    return true;
  }

  // ---- the running actor

  // Opens a wait. Whoever is to end it gets the ticket.
  [[nodiscard]] SMARM_ALWAYS_INLINE wait_ticket begin_wait() const noexcept {
    const word w = word_.load(std::memory_order_relaxed);
    SMARM_ASSERT(state_of(w) == slot_state::running);
    return w >> state_bits;
  }

  // Ends a wait that was opened but not parked on: its ticket is worth nothing from here on. True:
  // a wake had landed and is eaten, and what its waker wrote is visible.
  bool retire() noexcept {
    word w = word_.load(std::memory_order_acquire);
    if (state_of(w) == slot_state::running &&
        word_.compare_exchange_strong(w, next_epoch(w), std::memory_order_acq_rel,
                                      std::memory_order_acquire)) {
      return false;
    }
    SMARM_ASSERT(state_of(w) == slot_state::notified);
    word_.store(with_state(w, slot_state::running), std::memory_order_release);
    return true;
  }

  // ---- anybody

  // Ends the wait that the ticket names, if it is still open. At most one wake per wait does
  // anything. Releases what the waker wrote before to the woken actor.
  [[nodiscard]] SMARM_ALWAYS_INLINE wake_result wake(wait_ticket ticket) noexcept {
    word w = ticket << state_bits | static_cast<word>(slot_state::parked); // by far the likeliest
    for (;;) {
      const slot_state state = state_of(w);
      const bool is_parked =
        state >= slot_state::parked && state <= slot_state::parked_unless_urgent;
      if (w >> state_bits != ticket || !(is_parked || state == slot_state::running)) {
        return wake_result::nothing;
      }
      const slot_state next = is_parked ? slot_state::queued : slot_state::notified;
      if (SMARM_LIKELY(word_.compare_exchange_weak(w, with_state(next_epoch(w), next),
                                                   std::memory_order_acq_rel,
                                                   std::memory_order_acquire))) {
        return is_parked ? wake_result::enqueue : wake_result::notified;
      }
    }
  }

  // After the stop flag of this generation was set. True: the wait is over, and the caller
  // enqueues.
  [[nodiscard]] bool stop_wake(std::uint32_t generation) noexcept {
    return end_wait_of(generation, [](slot_state s) { return s == slot_state::parked; });
  }
  // The same after an urgent one.
  [[nodiscard]] bool urgent_wake(std::uint32_t generation) noexcept {
    return end_wait_of(generation, [](slot_state s) {
      return s == slot_state::parked || s == slot_state::parked_unless_urgent;
    });
  }

  // Of a parked actor: nobody can make it go on until the caller, having looked at it, publishes the
  // park again by park() or park_unless_urgent(), whichever it was (`was`), and does what a scheduler
  // does then. False: it is not parked. Acquires what the park left behind.
  [[nodiscard]] bool hold(slot_snapshot& was) noexcept {
    word w = word_.load(std::memory_order_acquire);
    while (state_of(w) >= slot_state::parked && state_of(w) <= slot_state::parked_unless_urgent) {
      if (word_.compare_exchange_weak(w, with_state(w, slot_state::running),
                                      std::memory_order_acq_rel, std::memory_order_acquire)) {
        was = snapshot_of(w);
        return true;
      }
    }
    return false;
  }

  // A total answer even for a pid that was never handed out: a vacant slot has no actor.
  [[nodiscard]] slot_status status(std::uint32_t generation) const noexcept {
    const slot_snapshot s = snapshot();
    if (s.generation != generation || s.state == slot_state::vacant) {
      return slot_status::stale;
    }
    return s.state == slot_state::done ? slot_status::done : slot_status::live;
  }

  // Acquires what the writer of the word left behind.
  [[nodiscard]] slot_snapshot snapshot() const noexcept {
    return snapshot_of(word_.load(std::memory_order_acquire));
  }

protected: // the model tests derive their mutations
  using word = std::uint64_t;

  static constexpr unsigned state_bits = 8;
  static constexpr unsigned epoch_bits = 24;
  static constexpr word state_mask = (word(1) << state_bits) - 1;
  static constexpr word epoch_mask = (word(1) << epoch_bits) - 1;
  static constexpr word generation_mask = ~((word(1) << (state_bits + epoch_bits)) - 1);
  static constexpr std::uint32_t last_generation = UINT32_MAX;

  static constexpr word pack(std::uint32_t generation, slot_state state) noexcept {
    return word(generation) << (state_bits + epoch_bits) | static_cast<word>(state);
  }
  static constexpr slot_state state_of(word w) noexcept {
    return static_cast<slot_state>(w & state_mask);
  }
  static constexpr std::uint32_t generation_of(word w) noexcept {
    return static_cast<std::uint32_t>(w >> (state_bits + epoch_bits));
  }
  static constexpr slot_snapshot snapshot_of(word w) noexcept {
    return {generation_of(w), static_cast<std::uint32_t>(w >> state_bits & epoch_mask),
            state_of(w)};
  }
  static constexpr word with_state(word w, slot_state state) noexcept {
    return (w & ~state_mask) | static_cast<word>(state);
  }
  // Wraps within its 24 bits: a stale waker would have to sleep through 2^24 waits to match again.
  static constexpr word next_epoch(word w) noexcept {
    const word next = w + (word(1) << state_bits);
    return (w & (generation_mask | state_mask)) | (next & (epoch_mask << state_bits));
  }
  static constexpr slot_state parked_as(bool masked) noexcept {
    return masked ? slot_state::parked_masked : slot_state::parked;
  }

  SMARM_ALWAYS_INLINE bool park_as(slot_state how) noexcept {
    word w = word_.load(std::memory_order_acquire);
    if (SMARM_LIKELY(state_of(w) == slot_state::running &&
                     word_.compare_exchange_strong(w, with_state(w, how), std::memory_order_seq_cst,
                                                   std::memory_order_acquire))) {
      return true;
    }
    SMARM_ASSERT(state_of(w) == slot_state::notified);
    word_.store(with_state(w, slot_state::queued), std::memory_order_release);
    return false;
  }
  template <class MayEnd>
  bool end_wait_of(std::uint32_t generation, MayEnd may_end) noexcept {
    word w = word_.load(std::memory_order_seq_cst);
    while (generation_of(w) == generation && may_end(state_of(w))) {
      if (word_.compare_exchange_weak(w, with_state(next_epoch(w), slot_state::queued),
                                      std::memory_order_acq_rel, std::memory_order_acquire)) {
        return true;
      }
    }
    return false;
  }

  typename Atomics::template atomic<word> word_;
};

using slot_word = basic_slot_word<std_atomics>;

} // namespace smarm::detail

#endif
