// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/actor_record.hpp>

#include <smarm/detail/attend.hpp>
#include <smarm/detail/group_table.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/slot.hpp>

#include <memory>
#include <mutex>
#include <utility>

namespace smarm::detail {

actor_record::~actor_record() {
  monitors.clear_and_dispose([](monitor_entry* entry) { entry->drop_share(); });
  links.clear_and_dispose(std::default_delete<link_half>());
  inboxes.clear_and_dispose(std::default_delete<published_inbox>());
  SMARM_ASSERT(names.empty() && groups.empty());
}

actor_record* attended_record(slot& s, std::uint32_t generation,
                              std::unique_ptr<actor_record>& spare, bool& needs_spare) noexcept {
  actor_record* record = s.record.load(std::memory_order_acquire);
  // Looked at after the record: one that is found is that tenant's, or an earlier one's.
  if (s.word.status(generation) != slot_status::live) {
    return nullptr;
  }
  if (record != nullptr) {
    return record;
  }
  if (spare == nullptr) {
    needs_spare = true;
    return nullptr;
  }
  if (!s.join.attend() || s.word.snapshot().generation != generation) {
    return nullptr;
  }
  record = spare.release();
  s.record.store(record, std::memory_order_release);
  return record;
}

void close_inboxes(slot& me) noexcept {
  published_list closed;
  membership_list left;
  {
    const std::lock_guard guard(me.record_lock);
    actor_record& record = *me.record.load(std::memory_order_acquire);
    record.ending = true;
    closed.swap(record.inboxes);
    left.swap(record.groups);
  }
  group_table::leave_all(left);
  closed.clear_and_dispose(std::default_delete<published_inbox>());
}

void drop_record(slot& s) noexcept {
  actor_record* old = nullptr;
  {
    const std::lock_guard guard(s.record_lock);
    old = s.record.exchange(nullptr, std::memory_order_relaxed);
  }
  delete old;
}

std::string label_of(slot& s) {
  const quiet_allocation quiet; // the copy is made under the lock
  const std::lock_guard guard(s.record_lock);
  const actor_record* record = s.record.load(std::memory_order_acquire);
  return record != nullptr ? record->label : std::string();
}

} // namespace smarm::detail
