// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/actor_record.hpp>

#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/slot.hpp>

#include <mutex>
#include <utility>

namespace smarm::detail {

void drop_record(slot& s) noexcept {
  actor_record* old = nullptr;
  {
    const std::lock_guard guard(s.record_lock);
    old = std::exchange(s.record, nullptr);
  }
  delete old;
}

std::string label_of(slot& s) {
  const quiet_allocation quiet; // the copy is made under the lock
  const std::lock_guard guard(s.record_lock);
  return s.record != nullptr ? s.record->label : std::string();
}

} // namespace smarm::detail
