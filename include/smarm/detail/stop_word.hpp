// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The stop word: generation << 32 | flags of one actor's life. A flag that is set stays set. A
// request aimed at an earlier tenant fails its compare-exchange instead of stopping the present one.
//
// A request sets its flag and then looks whether the actor is parked; the scheduler publishes the
// park and then looks at the flags. All four are sequentially consistent, so one of the two sees the
// other. Whoever does ends the wait, by slot_word::stop_wake, which only one of them can.
//
// Who insists asks for a stop, and urgently so if the actor had been asked to end before. An actor whose
// stops are masked only because it is ending already hears that, and nothing else.

#ifndef SMARM_DETAIL_STOP_WORD_HPP
#define SMARM_DETAIL_STOP_WORD_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/config.hpp>
#include <smarm/detail/slot_word.hpp>

#include <atomic>
#include <cstdint>

namespace smarm::detail {

namespace stop_flag {
inline constexpr std::uint64_t shutdown = 1; // asked to end cleanly
inline constexpr std::uint64_t stop = 2;     // asked to stop
inline constexpr std::uint64_t urgent = 4;   // asked to stop when it had been asked to end before
inline constexpr std::uint64_t any = shutdown | stop;
} // namespace stop_flag

enum class stop_result : std::uint8_t {
  no_actor,
  asked,
  enqueue // asked, and its wait is over: the caller enqueues it
};

template <class Atomics>
class basic_stop_word {
public:
  // The spawner, before it publishes the actor.
  void begin(std::uint32_t generation) noexcept {
    word_.store(std::uint64_t{generation} << 32, std::memory_order_relaxed);
  }

  // Anybody. `word` is that of the same slot.
  template <class SlotWord>
  [[nodiscard]] stop_result request(std::uint32_t generation, std::uint64_t flag,
                                    SlotWord& word) noexcept {
    return set(generation, word, [flag](std::uint64_t) { return flag; });
  }
  // The same for a stop; urgent for whoever was asked before.
  template <class SlotWord>
  [[nodiscard]] stop_result insist(std::uint32_t generation, SlotWord& word) noexcept {
    return set(generation, word, [](std::uint64_t before) {
      return (before & stop_flag::any) != 0 ? stop_flag::stop | stop_flag::urgent : stop_flag::stop;
    });
  }

  // The scheduler, after it published the park of the actor of that generation; the slot may have
  // another one by now. True: its wait is over, and the caller enqueues it.
  template <class SlotWord>
  [[nodiscard]] SMARM_ALWAYS_INLINE bool after_park(std::uint32_t generation,
                                                    SlotWord& word) const noexcept {
    return SMARM_UNLIKELY((word_.load(std::memory_order_seq_cst) & stop_flag::any) != 0) &&
           word.stop_wake(generation);
  }
  // The same after a park that only an urgent stop may end.
  template <class SlotWord>
  [[nodiscard]] bool after_park_unless_urgent(std::uint32_t generation,
                                              SlotWord& word) const noexcept {
    return (word_.load(std::memory_order_seq_cst) & stop_flag::urgent) != 0 &&
           word.urgent_wake(generation);
  }

  // The actor itself. Relaxed: a request that is missed here is seen after the next park.
  [[nodiscard]] SMARM_ALWAYS_INLINE bool
  requested(std::uint64_t flags = stop_flag::any) const noexcept {
    return (word_.load(std::memory_order_relaxed) & flags) != 0;
  }
  // Anybody: whether the actor of that generation was.
  [[nodiscard]] bool asked(std::uint32_t generation) const noexcept {
    const std::uint64_t seen = word_.load(std::memory_order_relaxed);
    return seen >> 32 == generation && (seen & stop_flag::any) != 0;
  }
  // The same, and sees what was written before the request.
  [[nodiscard]] bool requested_and_visible() const noexcept {
    return (word_.load(std::memory_order_acquire) & stop_flag::any) != 0;
  }

protected: // the model tests derive their mutations
  template <class SlotWord, class Flags>
  stop_result set(std::uint32_t generation, SlotWord& word, Flags flags) noexcept {
    std::uint64_t seen = word_.load(std::memory_order_relaxed);
    do {
      if (seen >> 32 != generation || word.status(generation) != slot_status::live) {
        return stop_result::no_actor;
      }
    } while (!word_.compare_exchange_weak(seen, seen | flags(seen), std::memory_order_seq_cst,
                                          std::memory_order_relaxed));
    const bool urgent = (flags(seen) & stop_flag::urgent) != 0;
    const bool woken = urgent ? word.urgent_wake(generation) : word.stop_wake(generation);
    return woken ? stop_result::enqueue : stop_result::asked;
  }

  typename Atomics::template atomic<std::uint64_t> word_{0};
};

using stop_word = basic_stop_word<std_atomics>;

} // namespace smarm::detail

#endif
