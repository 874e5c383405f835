// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/group_table.hpp>

#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/wake.hpp>

#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace smarm::detail {

group::group(const group_key& wanted, group_part& home)
    : scope(wanted.scope), name(wanted.name), key{scope, name, wanted.actor, wanted.hash},
      part(home) {}

group* group_part::find(const group_key& key) noexcept {
  const auto found = groups.find(key);
  return found != groups.end() ? found->second.get() : nullptr;
}

group* group_part::find_or_make(const group_key& key) noexcept {
  if (group* g = find(key)) {
    return g;
  }
  const quiet_allocation quiet; // under a lock
  try {
    auto fresh = std::make_unique<group>(key, *this);
    group* g = fresh.get();
    groups.emplace(g->key, std::move(fresh));
    return g;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

std::unique_ptr<group> group_part::take_if_unused(group& g) noexcept {
  std::unique_ptr<group> taken;
  if (g.unused()) {
    const auto at = groups.find(g.key);
    taken = std::move(at->second);
    groups.erase(at);
  }
  return taken;
}

void group_part::tell(group& g, group_change what, pid who) noexcept {
  for (group_watch& w : g.watches) {
    registration whom;
    if (w.tell(what, who, whom)) {
      will_wake(w, whom);
    }
  }
}

void group_part::will_wake(group_watch& w, const registration& whom) noexcept {
  w.waiter = whom;
  // It may be there still, for a wait that something else has ended.
  if (!w.boost::intrusive::list_base_hook<boost::intrusive::tag<to_be_woken_tag>>::is_linked()) {
    to_wake.push_back(w);
  }
}

void group_part::wake_all() noexcept {
  for (;;) {
    registration whom;
    {
      const std::lock_guard guard(lock);
      if (to_wake.empty()) {
        return;
      }
      whom = to_wake.front().waiter; // the watch may be gone as soon as the lock is
      to_wake.pop_front();
    }
    wake(whom);
  }
}

} // namespace smarm::detail
