// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Whether the block of memory in an actor's frame is in use, and who lets the frame go: an operation's
// handler has been called, and the operation has given its memory back, in either order and perhaps on
// two threads. The second of the two lets it go.

#ifndef SMARM_DETAIL_FRAME_BLOCK_WORD_HPP
#define SMARM_DETAIL_FRAME_BLOCK_WORD_HPP

#include <atomic>

namespace smarm::detail {

template <class Atomics>
class basic_frame_block_word {
public:
  // By a step of the operation. False: the block is in use.
  [[nodiscard]] bool take() noexcept {
    if (word_.load(std::memory_order_relaxed) != vacant) {
      return false;
    }
    unsigned char seen = vacant;
    return word_.compare_exchange_strong(seen, taken, std::memory_order_acquire,
                                         std::memory_order_relaxed);
  }
  // By who has the block, which it does not touch any more. True: the caller lets the frame go, else it
  // may be gone.
  [[nodiscard]] bool give_back() noexcept {
    return word_.exchange(vacant, std::memory_order_acq_rel) == outlives;
  }
  // By who has called the handler. True: the caller lets the frame go, else it may be gone.
  [[nodiscard]] bool handler_called() noexcept {
    unsigned char seen = word_.load(std::memory_order_acquire);
    return seen == vacant ||
           !word_.compare_exchange_strong(seen, outlives, std::memory_order_acq_rel,
                                          std::memory_order_acquire);
  }
  // Whether the handler was called, and the block is in use still.
  [[nodiscard]] bool in_use_after_the_handler() const noexcept {
    return word_.load(std::memory_order_acquire) == outlives;
  }

protected: // the model test derives its mutations
  static constexpr unsigned char vacant = 0, taken = 1, outlives = 2;

  // Written by whatever threads run the operation's steps, one after the other but for the last two.
  // Acquire and release: who lets the frame go has seen what the other did in it.
  typename Atomics::template atomic<unsigned char> word_{vacant};
};

} // namespace smarm::detail

#endif
