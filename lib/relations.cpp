// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/relations.hpp>

#include <smarm/detail/attend.hpp>
#include <smarm/detail/exit_delivery.hpp>
#include <smarm/detail/group_table.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/watched_spawn.hpp>

#include <memory>
#include <mutex>
#include <utility>

namespace smarm::detail {

relations::relations() noexcept : attendance(&tell_shutdown_to_trap) {}

relations::~relations() {
  monitors.clear_and_dispose([](monitor_entry* entry) { entry->drop_share(); });
  links.clear_and_dispose(std::default_delete<link_half>());
  inboxes.clear_and_dispose(std::default_delete<published_inbox>());
  SMARM_ASSERT(names.empty() && groups.empty());
}

// The names go first: whoever hears of the end, be it only that a group has lost a member, can have
// them.
void relations::close(slot& me) noexcept {
  published_list closed; // the last sending end may wake somebody, so not under the lock
  membership_list left;
  {
    const std::lock_guard guard(me.record_lock);
    ending = true;
    closed.swap(inboxes);
    left.swap(groups);
  }
  free_names(me);
  group_table::leave_all(left);
  closed.clear_and_dispose(std::default_delete<published_inbox>());
}

// One at a time, since there may be many and others come to the lock meanwhile. An entry is in the list
// and in the table, or in neither, for whoever has the lock.
void relations::free_names(slot& me) noexcept {
  for (;;) {
    std::unique_ptr<name_entry> entry;
    const std::lock_guard guard(me.record_lock);
    if (names.empty()) {
      return;
    }
    entry.reset(&names.front());
    names.pop_front();
    me.runtime->names->remove(*entry);
  }
}

// There are names left only if this was made when the actor had begun to end already.
void relations::conclude(runtime_state& runtime, slot& me) noexcept {
  const pid who = me.id();
  while (!names.empty()) {
    const std::unique_ptr<name_entry> entry(&names.front());
    names.pop_front();
    runtime.names->remove(*entry);
  }
  while (!links.empty()) {
    const std::unique_ptr<link_half> half(&*links.begin());
    links.erase(links.begin());
    signal_exit(runtime, half->peer, who, me.outcome);
  }
  while (!monitors.empty()) {
    monitor_entry& entry = monitors.front();
    monitors.pop_front();
    entry.tell(me.outcome);
    entry.drop_share();
  }
}

relations* attended(slot& s, std::uint32_t generation, std::unique_ptr<actor_record>& spare,
                    bool& needs_spare) noexcept {
  actor_record* record = s.record.load(std::memory_order_acquire);
  // Looked at after the record: one that is found is that tenant's, or an earlier one's.
  if (s.word.status(generation) != slot_status::live) {
    return nullptr;
  }
  if (record == nullptr || record->others == nullptr) {
    if (spare == nullptr) {
      needs_spare = true;
      return nullptr;
    }
    if (record != nullptr) {
      record->others = std::move(spare->others);
    } else {
      if (!s.join.attend() || s.word.snapshot().generation != generation) {
        return nullptr;
      }
      record = spare.release();
      s.record.store(record, std::memory_order_release);
    }
  }
  relations* const known = relations_in(*record);
  return known->abandoned ? nullptr : known;
}

std::unique_ptr<actor_record> record_with_relations() {
  auto made = std::make_unique<actor_record>();
  made->others = std::make_unique<relations>();
  return made;
}

relations& give_relations(slot& fresh, std::unique_ptr<actor_record> spare) noexcept {
  actor_record* record = fresh.record.load(std::memory_order_relaxed);
  if (record == nullptr) {
    record = spare.release();
    fresh.record.store(record, std::memory_order_release);
  } else {
    // Who has the pid of an earlier tenant may look at the record, under the lock, until it sees that
    // this is somebody else's.
    const std::lock_guard guard(fresh.record_lock);
    record->others = std::move(spare->others);
  }
  return *relations_in(*record);
}

} // namespace smarm::detail
