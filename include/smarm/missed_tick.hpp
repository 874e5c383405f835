// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What becomes of ticks that could not come in time, because every scheduler was busy or the machine
// was asleep.

#ifndef SMARM_MISSED_TICK_HPP
#define SMARM_MISSED_TICK_HPP

namespace smarm {

//[missed_tick_outline
enum class missed_tick : unsigned char {
  skip,  // are left out: the next one comes at the next multiple of the period
  burst, // are made up for: they come one after the other, until all have come
  delay, // move those that follow: the next one comes a whole period later, so the pace drifts
};
//]

} // namespace smarm

#endif
