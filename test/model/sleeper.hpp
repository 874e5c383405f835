// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An actor that waits, as far as a model of what wakes it needs one: the slot word, and the run queue
// with the one entry that whoever ends the wait puts there.

#ifndef SMARM_TEST_MODEL_SLEEPER_HPP
#define SMARM_TEST_MODEL_SLEEPER_HPP

#include "explorer.hpp"
#include "mc_atomic.hpp"

#include <smarm/detail/slot_word.hpp>

#include <cstdint>

namespace mc {

struct sleeper {
  smarm::detail::basic_slot_word<mc::atomics, false> word;
  mc::atomic<int> entries{0};

  sleeper() {
    word.publish_queued();
    require(word.claim(), "a fresh actor can be claimed");
  }
  void enqueue() { require(entries.fetch_add(1) == 0, "at most one entry"); }
  void wake(std::uint64_t ticket) {
    if (word.wake(ticket) == smarm::detail::wake_result::enqueue) {
      enqueue();
    }
  }
  // `parked` is what the scheduler does once the park is published.
  template <class Parked>
  void park(bool deaf, Parked parked) {
    if (word.park(deaf)) {
      parked();
    } else {
      enqueue();
    }
    mc::block(entries, [](int count) { return count > 0; });
    entries.fetch_sub(1);
    require(word.claim(), "what was popped can be claimed");
  }
  void park() {
    park(true, [] {});
  }
  void require_running() {
    require(word.snapshot().state == smarm::detail::slot_state::running,
            "runs, without a notification");
    require(entries.load() == 0, "no entry is left");
  }
};

} // namespace mc

#endif
