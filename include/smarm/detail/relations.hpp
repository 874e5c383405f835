// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What others have to do with an actor: the names it has, the inboxes it has published, those who
// monitor it, those it is linked with. In the actor's record, see actor_record.hpp, from when the first
// of these is there; found through attend().

#ifndef SMARM_DETAIL_RELATIONS_HPP
#define SMARM_DETAIL_RELATIONS_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/group_member.hpp>
#include <smarm/detail/link_set.hpp>
#include <smarm/detail/monitor_entry.hpp>
#include <smarm/detail/name_table.hpp>
#include <smarm/detail/published.hpp>
#include <smarm/exit_signal.hpp>

namespace smarm::detail {

// All of it under the slot's record_lock, until it is concluded.
struct relations final : attendance {
  relations() noexcept;
  ~relations() override;

  void close(slot& me) noexcept override;
  void conclude(runtime_state& runtime, slot& me) noexcept override;

  monitor_list monitors; // of others, on this one
  name_list names;
  published_list inboxes;
  membership_list groups;
  link_set links;
  sender<exit_signal> trap;       // connected: exits are trapped, unless the receiver is gone
  unsigned signals_under_way = 0; // taken, but not given yet
  bool ending = false;            // nobody can be reached here any more, nor get a name
  bool abandoned = false;         // it is to others as if it had ended, see abandon.hpp
  bool swept = false;             // told once that the run is about to end

private:
  void free_names(slot& me) noexcept;
};

} // namespace smarm::detail

#endif
