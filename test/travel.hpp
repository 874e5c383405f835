// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Brings the calling actor to another scheduler, and so to another thread, for certain: all other
// schedulers are kept busy until it has arrived.

#ifndef SMARM_TEST_TRAVEL_HPP
#define SMARM_TEST_TRAVEL_HPP

#include "probe.hpp"
#include "tokens.hpp"

#include <smarm/spawn.hpp>
#include <smarm/this_actor.hpp>

#include <atomic>
#include <memory>

namespace smarm_test {

namespace travel {

struct journey {
  std::atomic<unsigned> busy{0};
  std::atomic<bool> arrived{false};
  tokens ticket;
};

} // namespace travel

// One traveller at a time, in a runtime that is otherwise at rest. Waits, so it is a stop point
// where others are.
inline void go_to(unsigned scheduler) {
  const auto trip = std::make_shared<travel::journey>();
  const unsigned others = this_runtime().settings.schedulers - 1;
  for (unsigned s = 0; s <= others; ++s) {
    smarm::spawn({.pinned_to = s}, [trip, s, scheduler, others] {
      if (s == scheduler) {
        spin_until([&] { return trip->busy == others; });
        trip->ticket.give(); // becomes ready here, and nobody else is free
      } else {
        ++trip->busy;
        spin_until([&] { return trip->arrived.load(); });
      }
    }).detach();
  }
  trip->ticket.take();
  trip->arrived = true;
}

// To the next one, round and round.
inline void move_on() {
  go_to((smarm::this_actor::scheduler() + 1) % this_runtime().settings.schedulers);
}

} // namespace smarm_test

#endif
