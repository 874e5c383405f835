// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/name_table.hpp>

#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/slot.hpp>

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

namespace smarm::detail {
namespace {

// A holder that has begun to end is not there any more, though its entry still is.
bool is_held(const name_entry& entry) noexcept {
  return entry.where->word.status(entry.holder.generation()) == slot_status::live;
}

} // namespace

void name_table_deleter::operator()(name_table* names) const noexcept { delete names; }
name_table_ptr make_name_table() { return name_table_ptr(new name_table); }
void close_names(name_table& names) noexcept { names.close(); }

errc name_table::add(name_entry& entry, pid& holder) noexcept {
  part& p = part_of(entry.key);
  const quiet_allocation quiet; // under a lock
  const std::lock_guard guard(p.lock);
  const auto found = p.entries.find(entry.key);
  if (found != p.entries.end()) {
    if (is_held(*found->second)) {
      holder = found->second->holder;
      return errc::name_taken;
    }
    p.entries.erase(found); // the key is the old entry's
  }
  try {
    p.entries.emplace(entry.key, &entry);
  } catch (const std::bad_alloc&) {
    return errc::out_of_memory;
  }
  return errc{};
}

void name_table::remove(const name_entry& entry) noexcept {
  part& p = part_of(entry.key);
  const std::lock_guard guard(p.lock);
  const auto found = p.entries.find(entry.key);
  if (found != p.entries.end() && found->second == &entry) {
    p.entries.erase(found);
  }
}

name_entry* name_table::entry_of(const name_key& key, pid holder) noexcept {
  part& p = part_of(key);
  const std::lock_guard guard(p.lock);
  const auto found = p.entries.find(key);
  return found != p.entries.end() && found->second->holder == holder ? found->second : nullptr;
}

void name_table::announce(const name_key& key) noexcept {
  part& p = part_of(key);
  if (!p.awaited.load(std::memory_order_relaxed)) {
    return;
  }
  wake_where(p, [&](const name_waiter& w) { return w.key == key; });
}

void name_table::close() noexcept {
  closed_.store(true, std::memory_order_release);
  for (part& p : parts_) {
    wake_where(p, [](const name_waiter&) { return true; });
  }
}

template <class Wanted>
void name_table::wake_where(part& p, Wanted&& wanted) noexcept {
  for (;;) {
    registration who;
    {
      const std::lock_guard guard(p.lock);
      const auto w = std::find_if(p.waiters.begin(), p.waiters.end(), wanted);
      if (w == p.waiters.end()) {
        return;
      }
      who = w->who; // the frame may be gone as soon as the lock is
      p.waiters.erase(w);
      p.awaited.store(!p.waiters.empty(), std::memory_order_relaxed);
    }
    wake(who);
  }
}

pid name_table::find_in(part& p, const name_key& key) noexcept {
  const auto found = p.entries.find(key);
  return found != p.entries.end() && is_held(*found->second) ? found->second->holder : pid::none();
}

pid name_table::find(const name_key& key) noexcept {
  part& p = part_of(key);
  const std::lock_guard guard(p.lock);
  return find_in(p, key);
}

bool name_table::enroll(name_waiter& w) noexcept {
  part& p = part_of(w.key);
  const std::lock_guard guard(p.lock);
  if (closed() || find_in(p, w.key) != pid::none()) {
    return false;
  }
  p.waiters.push_back(w);
  p.awaited.store(true, std::memory_order_relaxed);
  return true;
}

bool name_table::withdraw(name_waiter& w) noexcept {
  part& p = part_of(w.key);
  const std::lock_guard guard(p.lock);
  if (!w.is_linked()) {
    return false;
  }
  p.waiters.erase(p.waiters.iterator_to(w));
  p.awaited.store(!p.waiters.empty(), std::memory_order_relaxed);
  return true;
}

errc find_named_inbox(runtime_state& runtime, std::string_view text, const inbox_wanted& wanted,
                      void* to) noexcept {
  const pid holder = runtime.names->find(text);
  if (holder == pid::none()) {
    return errc::unresolved;
  }
  const errc found = find_inbox(runtime, holder, wanted, to);
  return found == errc::no_process ? errc::unresolved : found;
}

} // namespace smarm::detail
