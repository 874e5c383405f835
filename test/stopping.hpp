// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the tests of stops share.

#ifndef SMARM_TEST_STOPPING_HPP
#define SMARM_TEST_STOPPING_HPP

#include "recorder.hpp"
#include "tokens.hpp"

#include <smarm/runtime.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <chrono>
#include <functional>
#include <utility>

namespace smarm_test {

inline smarm::config quiet(unsigned schedulers) {
  return {.schedulers = schedulers, .reports = [](const smarm::report&) {}};
}

inline void run_quietly(unsigned schedulers, std::function<void()> body) {
  smarm::runtime(quiet(schedulers)).run(std::move(body));
}

// True if the call raised the stop; which is swallowed.
template <class Call>
bool raises(Call call) {
  try {
    call();
  } catch (const smarm::stop_unwind&) {
    return true;
  }
  return false;
}

inline void stop_self() { (void)smarm::request_stop(smarm::this_actor::self()); }

// Waits for its token when it ends.
struct waits_at_the_end {
  tokens& gate;
  recorder& seen;
  ~waits_at_the_end() {
    seen.note("destructor begins");
    gate.take();
    smarm::this_actor::yield();
    smarm::this_actor::sleep_for(std::chrono::microseconds(10));
    smarm::this_actor::checkpoint();
    seen.note("destructor ends");
  }
};

} // namespace smarm_test

#endif
