// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The join word: where the end of an actor and whoever holds its handle meet. Each of the two leaves
// something there by one read-modify-write; the second one finds what the first one left. So either
// the joiner sees the end, or the end sees the joiner and wakes it; and the slot is given back by the
// second of (the end of the actor, the end of its handle).
//
//   open(n) -> waiting(n+1) -> open(n+1)   the handle's holder waits, and gives up
//   open(n) -> detached                    the handle is gone
//   any     -> done                        the end
//   any but done: `attended` is set, for the rest of the life
//
// Attended means that somebody else wants to hear of the end, too: the slot has, or is about to get,
// a record that says who (attend.hpp). An ending that finds the word attended leaves it as it is, sees
// to the record and takes the word then. So who is not attended pays nothing, for the ending takes
// the word in any case, and whoever attends knows by the same word that he was not too late.
//
// The number counts the waits. Who waits stands beside the word, so the ending reads that first and
// then takes the word, which fails if it is not the same wait any more. After the word is taken it
// would be too late: the joiner may have been woken by something else, have seen the end and given
// the slot back, and what stands there may be the next tenant's.

#ifndef SMARM_DETAIL_JOIN_WORD_HPP
#define SMARM_DETAIL_JOIN_WORD_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/config.hpp>

#include <atomic>
#include <cstdint>

namespace smarm::detail {

// What the end of an actor found in its join word.
enum class join_found : std::uint8_t {
  handle,   // nobody waits: whoever holds the handle gives the slot back
  joiner,   // the same, and it is to be woken
  detached, // the handle is gone: the ending gives the slot back
  attended  // nothing has happened yet: see end_attended
};

// Who waits. Written by the holder of the handle before it sets `waiting`, read by the ending
// before it takes the word, which hands it over; relaxed, since only that decides.
template <class Atomics, class Slot>
struct basic_joiner {
  typename Atomics::template atomic<Slot*> who{nullptr};
  typename Atomics::template atomic<std::uint64_t> ticket{0};
};

template <class Atomics>
class basic_join_word {
public:
  // ---- the spawner, before it publishes the actor

  // Release: who attends this life by mistake sees whose it is.
  void begin() noexcept { word_.store(open, std::memory_order_release); }

  // ---- the ending

  // If a joiner was found, stores who it is. After `handle` and `joiner` the slot is not the
  // caller's any more. Releases the outcome to the joiner; acquires who that is.
  template <class Slot>
  [[nodiscard]] SMARM_ALWAYS_INLINE join_found end(const basic_joiner<Atomics, Slot>& beside,
                                                   Slot*& who, std::uint64_t& ticket) noexcept {
    std::uint32_t seen = open;
    if (SMARM_LIKELY(word_.load(std::memory_order_relaxed) == open) &&
        SMARM_LIKELY(word_.compare_exchange_strong(seen, done, std::memory_order_acq_rel,
                                                   std::memory_order_acquire))) {
      return join_found::handle;
    }
    return take<true>(beside, who, ticket);
  }

  // The same after `attended`, when nobody can attend any more who would be heeded.
  template <class Slot>
  [[nodiscard]] join_found end_attended(const basic_joiner<Atomics, Slot>& beside, Slot*& who,
                                        std::uint64_t& ticket) noexcept {
    return take<false>(beside, who, ticket);
  }

  // ---- anybody, under a lock that the ending takes between `attended` and end_attended

  // False: the actor has ended, or will not look any more. The word may be the next tenant's: look at
  // the generation afterwards. If so, that one's ending finds out that it was for nothing. Acquires
  // what begin released; release, for the ending that sees it.
  [[nodiscard]] bool attend() noexcept {
    std::uint32_t seen = word_.load(std::memory_order_acquire);
    do {
      if (state_of(seen) == done) {
        return false;
      }
    } while (!word_.compare_exchange_weak(seen, seen | attended_bit, std::memory_order_acq_rel,
                                          std::memory_order_acquire));
    return true;
  }

  // ---- the holder of the handle

  // False: the actor has ended, and nobody has seen the registration. Releases it to the ending.
  template <class Slot>
  [[nodiscard]] bool enroll(basic_joiner<Atomics, Slot>& beside, Slot* who,
                            std::uint64_t ticket) noexcept {
    std::uint32_t seen = word_.load(std::memory_order_acquire);
    do { // again if somebody attends meanwhile
      if (state_of(seen) != open) {
        return false;
      }
      beside.who.store(who, std::memory_order_relaxed);
      beside.ticket.store(ticket, std::memory_order_relaxed);
    } while (!word_.compare_exchange_strong(seen, ((seen & ~state_mask) + one_wait) | waiting,
                                            std::memory_order_acq_rel, std::memory_order_acquire));
    return true;
  }

  // Takes the registration back. False: the actor has ended.
  [[nodiscard]] bool withdraw() noexcept {
    std::uint32_t seen = word_.load(std::memory_order_acquire);
    while (state_of(seen) == waiting) {
      if (word_.compare_exchange_strong(seen, (seen & ~state_mask) | open,
                                        std::memory_order_acq_rel, std::memory_order_acquire)) {
        return true;
      }
    }
    return false;
  }

  // Gives up the handle. False: the actor has ended, and the caller gives the slot back.
  [[nodiscard]] bool detach() noexcept {
    std::uint32_t seen = word_.load(std::memory_order_acquire);
    while (state_of(seen) == open) {
      if (word_.compare_exchange_strong(seen, detached | (seen & attended_bit),
                                        std::memory_order_acq_rel, std::memory_order_acquire)) {
        return true;
      }
    }
    return false;
  }

  // True: the outcome is there, and visible.
  [[nodiscard]] SMARM_ALWAYS_INLINE bool ended() const noexcept {
    return word_.load(std::memory_order_acquire) == done;
  }

  // ---- anybody: whether the handle is gone, at this moment
  [[nodiscard]] bool detached_now() const noexcept {
    return state_of(word_.load(std::memory_order_relaxed)) == detached;
  }

  [[nodiscard]] bool waited_for_now() const noexcept {
    return state_of(word_.load(std::memory_order_relaxed)) == waiting;
  }

protected: // the model tests derive their mutations
  static constexpr std::uint32_t open = 0, waiting = 1, detached = 2, done = 3;
  static constexpr std::uint32_t state_mask = 3;
  static constexpr std::uint32_t attended_bit = 4;
  // Would come round while an ending stands between its two steps after 2^29 waits.
  static constexpr std::uint32_t one_wait = 8;

  static constexpr std::uint32_t state_of(std::uint32_t w) noexcept { return w & state_mask; }

  template <bool Heed, class Slot>
  join_found take(const basic_joiner<Atomics, Slot>& beside, Slot*& who,
                  std::uint64_t& ticket) noexcept {
    std::uint32_t seen = word_.load(std::memory_order_acquire);
    for (;;) {
      if (Heed && (seen & attended_bit) != 0) {
        return join_found::attended;
      }
      if (state_of(seen) == waiting) {
        who = beside.who.load(std::memory_order_relaxed);
        ticket = beside.ticket.load(std::memory_order_relaxed);
      }
      if (SMARM_LIKELY(word_.compare_exchange_weak(seen, done, std::memory_order_acq_rel,
                                                   std::memory_order_acquire))) {
        return state_of(seen) == open      ? join_found::handle
               : state_of(seen) == waiting ? join_found::joiner
                                           : join_found::detached;
      }
    }
  }

  typename Atomics::template atomic<std::uint32_t> word_{open};
};

using join_word = basic_join_word<std_atomics>;

} // namespace smarm::detail

#endif
