// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What only some actors have: a label, a stack of their own shape, others who want to hear of their
// end. Kept beside the slot so that the rest does not pay for it, and made when it is first needed:
// by the spawner, or through attend(). Whoever may have one takes the longer way at its end, where the
// record is taken out of the slot and then settled, under no lock, by runtime_state::conclude.

#ifndef SMARM_DETAIL_ACTOR_RECORD_HPP
#define SMARM_DETAIL_ACTOR_RECORD_HPP

#include <smarm/detail/group_member.hpp>
#include <smarm/detail/link_set.hpp>
#include <smarm/detail/local_values.hpp>
#include <smarm/detail/monitor_entry.hpp>
#include <smarm/detail/name_table.hpp>
#include <smarm/detail/published.hpp>
#include <smarm/exit_signal.hpp>

#include <memory>
#include <string>

namespace smarm::detail {

class stack;
struct slot;

// All but own_stack and locals under the slot's record_lock.
struct actor_record {
  actor_record() = default;
  actor_record(const actor_record&) = delete;
  actor_record& operator=(const actor_record&) = delete;
  ~actor_record();

  std::string label;          // written by the actor itself, which may read it without the lock
  stack* own_stack = nullptr; // of its own shape, until the actor starts on it
  monitor_list monitors;      // of others, on this one
  name_list names;
  published_list inboxes;
  membership_list groups;
  link_set links;
  sender<exit_signal> trap;       // connected: exits are trapped, unless the receiver is gone
  unsigned signals_under_way = 0; // taken, but not given yet
  bool ending = false;            // nobody can be reached here any more, nor get a name
  bool swept = false;             // told once that the run is about to end
  std::unique_ptr<local_values> locals; // the actor's own: nobody else looks
};

// The actor ends: gives up its inboxes and leaves its groups, while it is still an actor.
void close_inboxes(slot& me) noexcept;

// Takes the record away from an actor that never began.
void drop_record(slot& s) noexcept;

// The label of whoever lives in the slot, from any thread; empty if it has none.
[[nodiscard]] std::string label_of(slot& s);

} // namespace smarm::detail

#endif
