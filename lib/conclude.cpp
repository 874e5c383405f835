// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The end of an actor whom others attend. Its slot is done, so nobody can attend any more, and its
// outcome is there; its joiner is not woken before this is over. It is the scheduler that does this,
// and nothing that a user wrote runs here.

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/exit_delivery.hpp>
#include <smarm/detail/runtime_state.hpp>

#include <memory>
#include <mutex>

namespace smarm::detail {

join_found runtime_state::conclude(slot& me, registration& joiner) noexcept {
  std::unique_ptr<actor_record> record;
  {
    const std::lock_guard guard(me.record_lock);
    record.reset(me.record.exchange(nullptr, std::memory_order_acq_rel));
  }
  if (record != nullptr) {
    const pid who = me.id();
    while (!record->names.empty()) {
      const std::unique_ptr<name_entry> entry(&record->names.front());
      record->names.pop_front();
      names->remove(*entry);
    }
    while (!record->links.empty()) {
      const std::unique_ptr<link_half> half(&*record->links.begin());
      record->links.erase(record->links.begin());
      signal_exit(*this, half->peer, who, me.outcome);
    }
    while (!record->monitors.empty()) {
      monitor_entry& entry = record->monitors.front();
      record->monitors.pop_front();
      entry.tell(me.outcome);
      entry.drop_share();
    }
    record.reset();
  }
  return me.join.end_attended(me.joiner, joiner.who, joiner.ticket);
}

} // namespace smarm::detail
