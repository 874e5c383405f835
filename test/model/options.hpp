// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How far a scenario is explored, and what came of it.

#ifndef SMARM_TEST_MODEL_OPTIONS_HPP
#define SMARM_TEST_MODEL_OPTIONS_HPP

#include <string>
#include <vector>

namespace mc {

inline constexpr int unbounded = -1;

struct options {
  int preemptions = unbounded; // switches away from a thread that could have gone on
  bool store_buffers = false;  // stores that are not seq_cst may become visible late
  // Of two steps whose order nobody can notice, explore one order only: far fewer schedules, and
  // still all outcomes, if no thread notices another one but through atomics and mc::block. Ignored
  // with a bound on preemptions, which would count differently in different orders.
  bool reduced = false;
  int spins = 0; // turns in a row a pausing thread may take although nothing changed meanwhile
  long schedules = 20'000'000;
  long steps = 5'000; // of one run; more is called a livelock
};

struct outcome {
  std::string error; // empty: no schedule failed
  long schedules = 0;
  bool exhausted = false;
  std::vector<int> choices; // of the schedule that failed, for replay()
};

} // namespace mc

#endif
