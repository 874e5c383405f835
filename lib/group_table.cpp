// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/group_table.hpp>

#include <smarm/detail/attend.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/slot.hpp>

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

namespace smarm::detail {
namespace {

// Under the record lock; null if there are none.
relations* relations_of(slot& s) noexcept {
  actor_record* record = s.record.load(std::memory_order_acquire);
  return record != nullptr ? relations_in(*record) : nullptr;
}

// Under the record lock; null if it is no member.
group_member* membership_of(membership_list& memberships, const group_key& key) noexcept {
  const auto found = std::find_if(memberships.begin(), memberships.end(),
                                  [&](const group_member& m) { return m.in->key == key; });
  return found != memberships.end() ? &*found : nullptr;
}

// It has left the record already, and none can take its place there. The group comes back if nobody
// needs it any more, to be destroyed under no lock; who watches is to be woken under none.
std::unique_ptr<group> take_out(group_member& m) noexcept {
  group& g = *m.in;
  const std::lock_guard guard(g.part.lock);
  g.members.remove(m);
  g.part.tell(g, group_change::left, m.who);
  return g.part.take_if_unused(g);
}

} // namespace

std::shared_ptr<group_table> make_group_table() { return std::make_shared<group_table>(); }
void close_groups(group_table& groups) noexcept { groups.close(); }

// ---- joining and leaving

errc group_table::join(slot& s, pid who, const group_key& key,
                       std::unique_ptr<group_member> fresh) noexcept {
  group_part& part = part_of(key);
  std::unique_ptr<group> unused; // outlives the locks
  {
    const std::lock_guard guard(s.record_lock);
    relations* const others = relations_of(s);
    // After the record, which is that tenant's then, or an earlier one's.
    if (s.word.status(who.generation()) != slot_status::live) {
      return errc::no_process;
    }
    if (others == nullptr) {
      return errc::no_channel;
    }
    if (others->ending) {
      return errc::no_process;
    }
    if (group_member* already = membership_of(others->groups, key)) {
      ++already->joins;
      return errc{};
    }
    bool takes_some = false;
    for (const published_inbox& inbox : others->inboxes) {
      takes_some |= inbox.actor == key.actor && fresh->take_inbox(inbox);
    }
    if (!takes_some) {
      return errc::no_channel;
    }
    fresh->who = who;
    const std::lock_guard in_part(part.lock);
    group* g = part.find_or_make(key);
    if (g == nullptr) {
      return errc::out_of_memory;
    }
    try {
      const quiet_allocation quiet; // under locks
      g->members.add(*fresh);
    } catch (const std::bad_alloc&) {
      unused = part.take_if_unused(*g);
      return errc::out_of_memory;
    }
    fresh->in = g;
    others->groups.push_back(*fresh.release());
    part.tell(*g, group_change::joined, who);
  }
  part.wake_all();
  return errc{};
}

bool group_table::leave(slot& s, pid who, const group_key& key) noexcept {
  std::unique_ptr<group_member> gone;
  std::unique_ptr<group> unused;
  group_part* part = nullptr;
  {
    const std::lock_guard guard(s.record_lock);
    relations* const others = relations_of(s);
    if (others == nullptr || s.word.snapshot().generation != who.generation()) {
      return false;
    }
    group_member* m = membership_of(others->groups, key);
    if (m == nullptr) {
      return false;
    }
    if (--m->joins != 0) {
      return true;
    }
    others->groups.erase(membership_list::s_iterator_to(*m));
    gone.reset(m);
    part = &m->in->part;
    unused = take_out(*m); // before it can join anew
  }
  part->wake_all();
  return true;
}

void group_table::replace_inbox(membership_list& memberships,
                                const published_inbox& fresh) noexcept {
  for (group_member& m : memberships) {
    if (m.in->key.actor == fresh.actor) {
      const std::lock_guard guard(m.in->part.lock);
      (void)m.take_inbox(fresh);
    }
  }
}

void group_table::leave_all(membership_list& memberships) noexcept {
  while (!memberships.empty()) {
    const std::unique_ptr<group_member> m(&memberships.front());
    memberships.pop_front();
    group_part& part = m->in->part;
    const std::unique_ptr<group> unused = take_out(*m);
    part.wake_all();
  }
}

// ---- reading

bool group_table::find(const group_key& key, member_search& search, copy_inbox copy,
                       void* to) noexcept {
  group_part& part = part_of(key);
  const std::lock_guard guard(part.lock);
  group* g = part.find(key);
  if (g == nullptr) {
    return false;
  }
  const group_member* m = nullptr;
  if (!search.begun) {
    m = search.how == member_choice::round_robin ? g->members.next_in_turn(search.first)
                                                 : g->members.any(
                                                       [&] { // xorshift
                                                         part.random ^= part.random << 13;
                                                         part.random ^= part.random >> 7;
                                                         part.random ^= part.random << 17;
                                                         return part.random >> 11;
                                                       },
                                                       search.first);
    search.begun = true;
    search.last = search.first;
  } else {
    if (!search.past_the_end) {
      m = g->members.first_from(search.last + 1, g->members.next_ticket(), search.last);
      search.past_the_end = m == nullptr;
      if (search.past_the_end) {
        m = g->members.first_from(0, search.first, search.last);
      }
    } else {
      m = g->members.first_from(search.last + 1, search.first, search.last);
    }
  }
  if (m == nullptr) {
    return false;
  }
  search.who = m->who;
  if (copy != nullptr) {
    copy(*m, to, 0);
  }
  return true;
}

std::size_t group_table::next_of(const group_key& key, member_walk& walk, copy_inbox copy, void* to,
                                 std::size_t most) noexcept {
  group_part& part = part_of(key);
  const std::lock_guard guard(part.lock);
  group* g = part.find(key);
  if (g == nullptr) {
    return 0;
  }
  if (!walk.begun) {
    walk.begun = true;
    walk.limit = g->members.next_ticket();
  }
  std::size_t found = 0;
  walk.next = g->members.visit(walk.next, walk.limit, most, [&](const group_member& m, pid) {
    copy(m, to, found);
    ++found;
  });
  return found;
}

std::vector<pid> group_table::members(const group_key& key) {
  group_part& part = part_of(key);
  std::vector<pid> out;
  for (std::size_t room = 0;;) {
    out.reserve(room); // not under the lock
    const std::lock_guard guard(part.lock);
    group* g = part.find(key);
    if (g == nullptr) {
      return out;
    }
    room = g->members.size();
    if (room <= out.capacity()) {
      (void)g->members.visit(0, g->members.next_ticket(), room,
                             [&](const group_member&, pid who) { out.push_back(who); });
      return out;
    }
  }
}

std::size_t group_table::count(const group_key& key) noexcept {
  group_part& part = part_of(key);
  const std::lock_guard guard(part.lock);
  const group* g = part.find(key);
  return g != nullptr ? g->members.size() : 0;
}

std::vector<std::string> group_table::names(std::string_view scope) {
  std::vector<std::string> out;
  for (group_part& part : parts_) {
    const quiet_allocation quiet; // under a lock
    const std::lock_guard guard(part.lock);
    for (const auto& [key, g] : part.groups) {
      if (key.scope == scope && !g->members.empty()) {
        out.emplace_back(key.name);
      }
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end()); // one for each type of members
  return out;
}

// ---- watching

std::vector<pid> group_table::watch(const group_key& key, group_watch& w) {
  group_part& part = part_of(key);
  std::vector<pid> out;
  for (std::size_t room = 0;;) {
    out.reserve(room);
    const std::lock_guard guard(part.lock);
    if (part.closed) {
      registration whom; // stays empty: nobody waits for it yet
      (void)w.close(whom);
      return out;
    }
    group* g = part.find_or_make(key);
    if (g == nullptr) {
      throw std::bad_alloc();
    }
    room = g->members.size(); // 0 if it was made just now: then there is room
    if (room <= out.capacity()) {
      (void)g->members.visit(0, g->members.next_ticket(), room,
                             [&](const group_member&, pid who) { out.push_back(who); });
      g->watches.push_back(w);
      w.in = g;
      return out;
    }
  }
}

void group_table::unwatch(group_watch& w) noexcept {
  if (w.in == nullptr) { // came too late for any group
    return;
  }
  std::unique_ptr<group> unused;
  group& g = *w.in;
  group_part& part = g.part;
  const std::lock_guard guard(part.lock);
  g.watches.erase(watch_list::s_iterator_to(w));
  if (w.boost::intrusive::list_base_hook<boost::intrusive::tag<to_be_woken_tag>>::is_linked()) {
    part.to_wake.erase(wake_list::s_iterator_to(w)); // its receiver waits no more
  }
  unused = part.take_if_unused(g);
}

void group_table::close() noexcept {
  for (group_part& part : parts_) {
    {
      const std::lock_guard guard(part.lock);
      part.closed = true;
      for (const auto& [key, g] : part.groups) {
        for (group_watch& w : g->watches) {
          registration whom;
          if (w.close(whom)) {
            part.will_wake(w, whom);
          }
        }
      }
    }
    part.wake_all();
  }
}

} // namespace smarm::detail
