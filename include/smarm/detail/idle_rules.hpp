// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Which rules of the coordinator hold: all of them, outside of the model tests, which drop one at a
// time. A rule that can be dropped without a model noticing is either not needed or not tested.

#ifndef SMARM_DETAIL_IDLE_RULES_HPP
#define SMARM_DETAIL_IDLE_RULES_HPP

namespace smarm::detail {

struct idle_rules {
  // A sleeper looks for work again after its bit is set.
  static constexpr bool recheck = true;
  // A searcher says that it searches no more before that last look, not after.
  static constexpr bool search_ends_first = true;
  // A sleeper whose bit a waker has cleared searches, even if it was the deadline that ended its
  // sleep.
  static constexpr bool claimed_searches = true;
  // Who leaves with work wakes a sibling for the work that is left.
  static constexpr bool chain = true;
  // A deadline earlier than the armed one wakes the timekeeper.
  static constexpr bool insert_wakes = true;
  // Who leaves to be busy sees to it that a sleeper stands by.
  static constexpr bool hand_on = true;
  // The last one to fall asleep sleeps in a driver in which things happen.
  static constexpr bool last_one_reacts = true;
  // Who sees the end tells the others.
  static constexpr bool end_wakes = true;
};

} // namespace smarm::detail

#endif
