// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What only some actors have: a label, a stack of their own shape. Kept beside the slot so that the
// others do not pay for it.

#ifndef SMARM_DETAIL_ACTOR_RECORD_HPP
#define SMARM_DETAIL_ACTOR_RECORD_HPP

#include <string>

namespace smarm::detail {

class stack;
struct slot;

struct actor_record {
  std::string label;
  stack* own_stack = nullptr; // of its own shape, until the actor starts on it
};

// Takes the record away from an actor that has one and ends, or never began.
void drop_record(slot& s) noexcept;

// The label of whoever lives in the slot, from any thread; empty if it has none.
[[nodiscard]] std::string label_of(slot& s);

} // namespace smarm::detail

#endif
