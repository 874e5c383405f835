// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who keeps a channel open, and who keeps its memory. The senders are counted; all of them together
// hold one share of the memory, the receiver holds the other. A producer works through a sender,
// so the channel is there as long as it pushes; and a push touches nothing of the channel once the
// receiver can see the message.

#ifndef SMARM_DETAIL_CHANNEL_COUNTS_HPP
#define SMARM_DETAIL_CHANNEL_COUNTS_HPP

#include <smarm/detail/atomics.hpp>

#include <atomic>
#include <cstdint>

namespace smarm::detail {

// Count holds the senders: with 32 bits there can be as many as fill 32 GiB.
template <class Atomics = std_atomics, class Count = std::uint64_t>
class basic_channel_counts {
public:
  void add_sender() noexcept { senders_.fetch_add(1, std::memory_order_relaxed); }

  // The same by who has none, but knows that the memory is there. False: the last one is gone.
  [[nodiscard]] bool try_add_sender() noexcept {
    Count seen = senders_.load(std::memory_order_relaxed);
    while (seen != 0) {
      if (senders_.compare_exchange_weak(seen, seen + 1, std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

  // For the receiving end, which has its share meanwhile: also when no sender is left. What it closed
  // stays closed.
  void add_sender_again() noexcept {
    if (senders_.fetch_add(1, std::memory_order_relaxed) == 0) {
      // The last of those before gives the senders' share back, or has done so: these have another.
      shares_.fetch_add(1, std::memory_order_relaxed);
    }
  }

  // True: that was the last one. The caller closes the channel, then gives its share back. Acquires
  // what the other senders did.
  [[nodiscard]] bool drop_sender() noexcept {
    return senders_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

  // True: nobody has one any more, and the caller frees the channel.
  [[nodiscard]] bool drop_share() noexcept {
    return shares_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

protected: // the model tests derive mutants
  // Raised by who has a sender already, or while it is not zero, or by the receiving end (relaxed),
  // lowered by each as it goes (acq_rel): the last one sees what all did.
  typename Atomics::template atomic<Count> senders_{1};
  // One for all senders together, one for the receiving end. Raised by the latter, while it has its own
  // (relaxed), lowered by each of them (acq_rel): the last one sees what the others did.
  typename Atomics::template atomic<std::uint32_t> shares_{2};
};

} // namespace smarm::detail

#endif
