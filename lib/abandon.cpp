// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The same as the ending of an actor does with its relations, see relations::close and ::conclude, but
// done by somebody else, to relations that stay where they are. The mark `abandoned` is set and the
// lists are emptied in one hold of the record lock. Whoever comes to the lock later takes a marked
// record for none: see attended() and visit_relations(). So an entry is in a list, and found there, or
// its record is marked, as it would be gone after an ending, and the abandoner tells. The ending
// itself, which may come at any time, finds empty lists.

#include <smarm/detail/abandon.hpp>

#include <smarm/detail/attend.hpp>
#include <smarm/detail/exit_delivery.hpp>
#include <smarm/detail/group_table.hpp>
#include <smarm/detail/name_table.hpp>
#include <smarm/detail/runtime_state.hpp>

#include <memory>
#include <new>
#include <utility>

namespace smarm::detail {
namespace {

struct taken_relations {
  name_list names;
  membership_list groups;
  published_list inboxes;
  monitor_list monitors;
  link_set links;
  sender<exit_signal> trap;
};

} // namespace

bool abandon(slot& where, pid actor, const exit_reason& reason) noexcept {
  taken_relations taken;
  runtime_state* runtime = nullptr;
  bool marked = false;
  const auto take = [&](relations& known) noexcept {
    if (known.ending) {
      return; // by itself
    }
    known.ending = true;
    known.abandoned = true;
    marked = true;
    runtime = where.runtime;
    // Under this lock a name is in the list and in the table, or in neither.
    for (name_entry& entry : known.names) {
      runtime->names->remove(entry);
    }
    taken.names.swap(known.names);
    taken.groups.swap(known.groups);
    taken.inboxes.swap(known.inboxes);
    taken.monitors.swap(known.monitors);
    taken.links.swap(known.links);
    std::swap(taken.trap, known.trap);
  };
  try {
    (void)attend(where, actor.generation(), take);
  } catch (const std::bad_alloc&) { // it has no relations, so there is nothing to take away
    return true;
  }
  if (!marked) {
    return false;
  }
  taken.names.clear_and_dispose(std::default_delete<name_entry>());
  group_table::leave_all(taken.groups);
  taken.inboxes.clear_and_dispose(std::default_delete<published_inbox>());
  while (!taken.links.empty()) {
    const std::unique_ptr<link_half> half(&*taken.links.begin());
    taken.links.erase(taken.links.begin());
    signal_exit(*runtime, half->peer, actor, reason);
  }
  while (!taken.monitors.empty()) {
    monitor_entry& entry = taken.monitors.front();
    taken.monitors.pop_front();
    entry.tell(reason);
    entry.drop_share();
  }
  return true;
}

} // namespace smarm::detail
