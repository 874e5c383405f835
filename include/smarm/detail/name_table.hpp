// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who has which name, in one runtime. A name belongs to one incarnation of an actor: index and
// generation are compared, so that the next tenant of a slot never inherits one. Entries are in the
// table and in the holder's record, whose ending takes them out of both before anybody hears of it.
//
// An entry is put in and taken out under its holder's record lock and, inside that, the lock of its
// part of the table; a lookup takes the latter only.

#ifndef SMARM_DETAIL_NAME_TABLE_HPP
#define SMARM_DETAIL_NAME_TABLE_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/published.hpp>
#include <smarm/detail/raw_lock.hpp>
#include <smarm/detail/wake.hpp>
#include <smarm/error.hpp>
#include <smarm/pid.hpp>

#include <boost/intrusive/list.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace smarm::detail {

class runtime_state;
struct slot;

// A name's text, and its hash, which is needed more than once.
struct name_key {
  name_key(std::string_view what) noexcept // NOLINT: a text is one
      : text(what), hash(std::hash<std::string_view>()(what)) {}

  friend bool operator==(const name_key& a, const name_key& b) noexcept { return a.text == b.text; }

  std::string_view text;
  std::size_t hash;
};

struct name_key_hash {
  using is_avalanching = void;
  std::size_t operator()(const name_key& key) const noexcept { return key.hash; }
};

struct name_entry : boost::intrusive::list_base_hook<> {
  name_entry(std::string_view what, pid who, slot& place)
      : text(what), key(text), holder(who), where(&place) {}

  const std::string text;
  const name_key key;
  const pid holder;
  slot* const where;
};

using name_list = boost::intrusive::list<name_entry, boost::intrusive::constant_time_size<false>>;

// One who waits until somebody has a name; part of the waiting call's frame.
struct name_waiter : boost::intrusive::list_base_hook<> {
  explicit name_waiter(const name_key& what) noexcept : key(what) {}

  const name_key key;
  registration who{}; // this and the hook: under the lock of the name's part
};

class name_table {
public:
  // Under the record lock of the entry's holder. name_taken: somebody else has it and lives; in
  // `holder` is who. out_of_memory.
  [[nodiscard]] errc add(name_entry& entry, pid& holder) noexcept;
  // Likewise. Nothing happens if the name has another entry by now.
  void remove(const name_entry& entry) noexcept;
  // The entry itself, under the holder's lock; null if somebody else has the name, or nobody.
  [[nodiscard]] name_entry* entry_of(const name_key& key, pid holder) noexcept;

  // Wakes those who wait for that name, after it was added. Under no lock.
  void announce(const name_key& key) noexcept;

  // Who has the name and lives; none if nobody does.
  [[nodiscard]] pid find(const name_key& key) noexcept;

  // False, and not enrolled: somebody has the name, or nobody will.
  [[nodiscard]] bool enroll(name_waiter& w) noexcept;
  // False: it was taken out by a waker.
  [[nodiscard]] bool withdraw(name_waiter& w) noexcept;

  // The runtime goes: nobody will get a name any more. Wakes all who wait. Under no lock.
  void close() noexcept;
  [[nodiscard]] bool closed() const noexcept { return closed_.load(std::memory_order_acquire); }

private:
  struct alignas(cache_line) part {
    raw_lock lock{lock_class::channel}; // nests under a record lock
    boost::unordered_flat_map<name_key, name_entry*, name_key_hash> entries;
    boost::intrusive::list<name_waiter> waiters;
    // Whether there are any; written under the lock. Who has added a name since was under it, too, and
    // reads (relaxed) what was written before; who comes to wait later finds the name.
    std::atomic<bool> awaited{false};
  };

  part& part_of(const name_key& key) noexcept {
    return parts_[(key.hash >> 24) % parts_.size()]; // the map looks at the bits at both ends
  }
  static pid find_in(part& p, const name_key& key) noexcept;
  // Takes out the first of the waiters that is wanted, and wakes it, until there is none.
  template <class Wanted>
  static void wake_where(part& p, Wanted&& wanted) noexcept;

  std::array<part, 16> parts_;
  // Set once, by close, before it comes to the lock of each part: who enrolls there before is found and
  // woken, who does so afterwards sees it under that lock.
  std::atomic<bool> closed_{false};
};

// As find_inbox, of whoever has the name: unresolved, no_channel.
[[nodiscard]] errc find_named_inbox(runtime_state& runtime, std::string_view text,
                                    const inbox_wanted& wanted, void* to) noexcept;

} // namespace smarm::detail

#endif
