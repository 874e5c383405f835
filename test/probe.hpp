// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Looking at actors from inside, so that a test can bring them into the state that it is about
// instead of hoping that some time will do.

#ifndef SMARM_TEST_PROBE_HPP
#define SMARM_TEST_PROBE_HPP

#include <smarm/detail/runtime_state.hpp>
#include <smarm/pid.hpp>
#include <smarm/this_actor.hpp>

#include <sys/types.h>
#include <unistd.h>

#include <thread>

namespace smarm_test {

// The runtime that runs the calling actor.
inline smarm::detail::runtime_state& this_runtime() {
  return smarm::detail::current_scheduler()->runtime;
}

// Whether an actor of that runtime waits.
inline bool parked(const smarm::detail::runtime_state& in, smarm::pid actor) {
  const smarm::detail::slot* s = in.slots.find(actor.index());
  if (s == nullptr) {
    return false;
  }
  const auto now = s->word.snapshot();
  return now.generation == actor.generation() &&
         (now.state == smarm::detail::slot_state::parked ||
          now.state == smarm::detail::slot_state::parked_masked ||
          now.state == smarm::detail::slot_state::parked_unless_urgent);
}
inline bool parked(smarm::pid actor) { return parked(this_runtime(), actor); }

// The system's number of the thread that runs the caller right now. std::this_thread::get_id() will
// not do in actors: the compiler knows that no thread ever changes into another.
inline pid_t this_thread() { return ::gettid(); }

// From an actor: lets the others run until it is so.
template <class Condition>
void until(Condition&& is_so) {
  while (!is_so()) {
    smarm::this_actor::yield();
  }
}

// From a plain thread.
template <class Condition>
void wait_until(Condition&& is_so) {
  while (!is_so()) {
    std::this_thread::yield();
  }
}

// Occupies the scheduler: no stop point, no checkpoint.
template <class Condition>
void spin_until(Condition&& is_so) {
  while (!is_so()) {
    smarm::detail::std_atomics::pause();
  }
}

} // namespace smarm_test

#endif
