// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The process groups of one runtime. A group is there while it has members or somebody monitors it.
//
// Joining against the end of the actor that joins: a membership is put into the actor's record and
// into the group under the record lock, and only while the record is not marked as ending; leaving
// takes it out of both likewise, or somebody could be in there twice. The ending sets the mark and
// takes all memberships out of the record under the same lock, and then takes them out of their
// groups, before its slot is done and anybody hears of it. So either the ending finds the
// membership, or whoever joins finds the mark.
//
// A group is guarded by the lock of its part of the table, which nests under a record lock. Who
// reads a group, or sends to it, takes that lock and no other.

#ifndef SMARM_DETAIL_GROUP_TABLE_HPP
#define SMARM_DETAIL_GROUP_TABLE_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/group_key.hpp>
#include <smarm/detail/group_member.hpp>
#include <smarm/detail/group_roster.hpp>
#include <smarm/detail/group_watch.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/error.hpp>
#include <smarm/member_choice.hpp>
#include <smarm/pid.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace smarm::detail {

struct group_part;
struct slot;

struct group {
  group(const group_key& key, group_part& home);

  const std::string scope;
  const std::string name;
  const group_key key; // of the two above
  group_part& part;
  group_roster<group_member> members;
  watch_list watches;

  [[nodiscard]] bool unused() const noexcept { return members.empty() && watches.empty(); }
};

struct alignas(cache_line) group_part {
  raw_lock lock{lock_class::channel};
  boost::unordered_flat_map<group_key, std::unique_ptr<group>, group_key_hash> groups;
  wake_list to_wake;
  std::uint64_t random = 0x2545f4914f6cdd1dU;
  bool closed = false; // for good: who watches now hears of nothing any more

  [[nodiscard]] group* find(const group_key& key) noexcept;
  // Null: no memory.
  [[nodiscard]] group* find_or_make(const group_key& key) noexcept;
  // To be destroyed outside the lock; null if it is still in use.
  [[nodiscard]] std::unique_ptr<group> take_if_unused(group& g) noexcept;
  void tell(group& g, group_change what, pid who) noexcept;
  void will_wake(group_watch& w, const registration& whom) noexcept;
  // Wakes those who were told. Under no lock.
  void wake_all() noexcept;
};

// The members that one call has tried: the first as the choice says, and then the next in order,
// until all were tried.
struct member_search {
  member_choice how = member_choice::round_robin;
  bool begun = false;
  bool past_the_end = false; // and so at those before the first
  std::uint64_t first = 0;   // tickets
  std::uint64_t last = 0;
  pid who; // that was found
};

// The members that were there when a broadcast began.
struct member_walk {
  bool begun = false;
  std::uint64_t next = 0; // tickets
  std::uint64_t limit = 0;
};

using copy_inbox = void (*)(const group_member& from, void* senders, std::size_t index) noexcept;

class group_table {
public:
  // Makes the actor a member, or counts one join more. Errors: no_process, no_channel (it is no
  // actor of this type), out_of_memory.
  [[nodiscard]] errc join(slot& s, pid who, const group_key& key,
                          std::unique_ptr<group_member> fresh) noexcept;
  // Takes one join back. False: it was no member.
  [[nodiscard]] static bool leave(slot& s, pid who, const group_key& key) noexcept;
  // Under the record lock: an inbox took the place of another one, which is still there.
  static void replace_inbox(membership_list& memberships, const published_inbox& fresh) noexcept;
  // Of an actor that ends, out of its record already. Under no lock.
  static void leave_all(membership_list& memberships) noexcept;

  // The next member to try; calls copy for it, under the lock. False: there is none left.
  [[nodiscard]] bool find(const group_key& key, member_search& search, copy_inbox copy,
                          void* to) noexcept;
  // Some more members of a broadcast, at most so many; calls copy for each. 0: that were all.
  [[nodiscard]] std::size_t next_of(const group_key& key, member_walk& walk, copy_inbox copy,
                                    void* to, std::size_t most) noexcept;
  // Throws std::bad_alloc.
  [[nodiscard]] std::vector<pid> members(const group_key& key);
  [[nodiscard]] std::size_t count(const group_key& key) noexcept;
  // The names of the groups of a scope that have members, sorted. Throws std::bad_alloc.
  [[nodiscard]] std::vector<std::string> names(std::string_view scope);

  // Begins to watch, and returns who is there at that moment. Throws std::bad_alloc.
  [[nodiscard]] std::vector<pid> watch(const group_key& key, group_watch& w);
  static void unwatch(group_watch& w) noexcept;
  // Nothing will change any more.
  void close() noexcept;

private:
  // The high bits: those below go into the map.
  group_part& part_of(const group_key& key) noexcept {
    return parts_[(key.hash >> 40) % parts_.size()];
  }

  std::array<group_part, 16> parts_;
};

} // namespace smarm::detail

#endif
