// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The end of a root, or a shutdown: from then on, whoever has no live parent is asked to go. That is
// done by sweeps over all slots, one now and one after each further death. No orphan is missed:
//
//   announced, fence, sweep: look at every slot, and at its parent's
//   publish children, then the own end, fence, look whether it was announced: then ask for a sweep
//   publish an actor that has no parent, fence, look whether it was announced: then ask it to go
//
// Of two fences one is first. If it is that of an ending or of a spawn, then the sweep sees the end,
// and all that was published before it; if it is the sweep's, then the other one sees the
// announcement. An actor that a sweep leaves alone since its parent lives is therefore found by the
// sweep that the parent's death asks for.

#ifndef SMARM_DETAIL_ROOT_END_HPP
#define SMARM_DETAIL_ROOT_END_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/config.hpp>
#include <smarm/detail/slot_word.hpp>

#include <atomic>
#include <cstdint>

namespace smarm::detail {

template <class Atomics>
class basic_root_end {
public:
  // Before a run.
  void begin() noexcept {
    announced_.store(false, std::memory_order_relaxed);
    sweep_wanted_.store(false, std::memory_order_relaxed);
  }

  // A sweep, or a request for one, follows. Sequentially consistent, so that whoever does not see it
  // after its fence is seen by a sweep that somebody else does on request.
  void announce() noexcept { announced_.store(true, std::memory_order_seq_cst); }

  [[nodiscard]] bool announced() const noexcept {
    return announced_.load(std::memory_order_relaxed);
  }
  // By the ending, after it has published its end and then modified another word.
  [[nodiscard]] SMARM_ALWAYS_INLINE bool announced_before_death() const noexcept {
    Atomics::fence_after_modify();
    return announced_.load(std::memory_order_relaxed);
  }
  // By whoever published an actor that is under no other one.
  [[nodiscard]] bool announced_before_spawn() const noexcept {
    Atomics::fence(std::memory_order_seq_cst);
    return announced_.load(std::memory_order_relaxed);
  }

  // True: nobody had asked before, so somebody has to be woken for it. Sequentially consistent with
  // sweep: either that one clears it later, and then sees what this thread did, or it stays set.
  [[nodiscard]] bool want_sweep() noexcept {
    return !sweep_wanted_.exchange(true, std::memory_order_seq_cst);
  }
  // A hint that the coordinator's rules make reliable: whoever sets it wakes afterwards.
  [[nodiscard]] bool sweep_wanted() const noexcept {
    return sweep_wanted_.load(std::memory_order_relaxed);
  }

  // Calls ask(index, generation, slot) for every actor without a live parent. Of a table it needs
  // used() and find(index), of a slot `word` and `parent`. Any number of threads may sweep at once.
  template <class Table, class Ask>
  void sweep(const Table& table, Ask ask) noexcept {
    // Cleared first: a death during the scan asks for another.
    sweep_wanted_.store(false, std::memory_order_seq_cst);
    Atomics::fence(std::memory_order_seq_cst);
    const auto used = static_cast<std::uint32_t>(table.used());
    for (std::uint32_t i = 0; i < used; ++i) {
      auto& s = *table.find(i);
      const std::uint32_t generation = s.word.snapshot().generation;
      if (s.word.status(generation) != slot_status::live) {
        continue;
      }
      // Should the slot change hands in between, asking fails at its generation. The new tenant was
      // not there at the fence, so its parent's death will see the announcement.
      const std::uint64_t parent = s.parent.load(std::memory_order_relaxed);
      const auto* above = table.find(static_cast<std::uint32_t>(parent >> 32));
      if (above == nullptr ||
          above->word.status(static_cast<std::uint32_t>(parent)) != slot_status::live) {
        ask(i, generation, s);
      }
    }
  }

protected: // the model tests derive their mutations
  // Set by the root's ending or by a shutdown; read by those who end or spawn, see above.
  typename Atomics::template atomic<bool> announced_{false};
  // Set by the deaths after that, cleared by sweeps.
  typename Atomics::template atomic<bool> sweep_wanted_{false};
};

using root_end = basic_root_end<std_atomics>;

} // namespace smarm::detail

#endif
