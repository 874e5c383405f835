// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Whether something has been completed, and which wait is to be told: one word, in the frame of who
// waits. Who completes takes the ticket in the step that publishes the completion, and touches nothing
// of that frame afterwards. Who waits may come back for other reasons, as often as it likes: it takes
// its ticket back and puts the next one there, unless the word is done by then.

#ifndef SMARM_DETAIL_COMPLETION_WORD_HPP
#define SMARM_DETAIL_COMPLETION_WORD_HPP

#include <smarm/detail/slot_word.hpp>

#include <atomic>

namespace smarm::detail {

template <class Atomics>
class basic_completion_word {
public:
  // No ticket is this large: see slot_word.hpp.
  static constexpr wait_ticket nobody_waits = ~wait_ticket{0};

  // By who completes, once. The ticket of the wait to end, or nobody_waits. The frame may be gone when
  // this returns.
  [[nodiscard]] wait_ticket complete() noexcept {
    return word_.exchange(done, std::memory_order_acq_rel);
  }

  // ---- by who waits

  [[nodiscard]] bool completed() const noexcept {
    return word_.load(std::memory_order_acquire) == done;
  }
  // False: completed, and nobody has seen the ticket.
  [[nodiscard]] bool enroll(wait_ticket ticket) noexcept { return replace(nobody_waits, ticket); }
  // False: completed, and the ticket is used.
  [[nodiscard]] bool withdraw(wait_ticket ticket) noexcept { return replace(ticket, nobody_waits); }

protected: // the model test derives its mutations
  static constexpr wait_ticket done = nobody_waits - 1;

  bool replace(wait_ticket from, wait_ticket to) noexcept {
    return word_.compare_exchange_strong(from, to, std::memory_order_acq_rel,
                                         std::memory_order_acquire);
  }

  // Written by who waits and, lastly and once, by who completes. Its release covers the result, which
  // who waits acquires.
  typename Atomics::template atomic<wait_ticket> word_{nobody_waits};
};

using completion_word = basic_completion_word<std_atomics>;

} // namespace smarm::detail

#endif
