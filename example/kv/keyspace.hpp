// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The keys of one partition with their values and deadlines, and what commands do with them. It knows no
// clock: who calls says what time it is, in milliseconds since 1970. And it writes no log: each change is
// told as commands which make it again, whatever the time is then.

#ifndef KV_KEYSPACE_HPP
#define KV_KEYSPACE_HPP

#include "command.hpp"

#include <boost/container/string.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kv {

inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

class keyspace {
public:
  // The keys are kept in so many tables, by their hashes. A scan goes from one to the next, and so meets
  // every key that is there all the time; and no table is so large that its growth is felt, or the time
  // that a snapshot spends on it.
  static constexpr std::size_t tables = 1024;

  keyspace() : tables_(tables) {}

  // Carries out a command with a number of arguments that it takes. Its reply is appended, and so is what
  // it has changed: nothing if it has changed nothing.
  void execute(const command& c, std::span<const std::string_view> words, std::int64_t now,
               std::string& reply, std::string& changes);

  // The changes that were told, made again. No key expires meanwhile: that was told, too.
  void replay(const command& c, std::span<const std::string_view> words);

  // Forgets keys whose time has come, at most so many. True: there are more.
  bool expire(std::int64_t now, std::size_t most, std::string& changes);
  // When the next key's time comes, or may come. `never`: not that one knows.
  [[nodiscard]] std::int64_t next_deadline() const noexcept {
    return deadlines_.empty() ? never : deadlines_.top().first;
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  // A snapshot: commands which make all keys as they are when it begins, a piece at a time while they go on
  // changing. What changes first is put into the next piece as it was; each value remembers of which
  // snapshot it is a part, so that this costs one comparison where there is nothing to do. One at a time.
  void begin_snapshot();
  // Appends about so many bytes. False: that was all, and it has ended.
  bool snapshot_piece(std::size_t bytes, std::string& to);
  // Ends one of which not all was taken.
  void end_snapshot();

private:
  // Up to 22 characters are in place, where std::string has room for 15: most keys and many values are found
  // without one more look into memory, which is what a command on many keys spends its time with.
  using text = boost::container::string;
  struct entry {
    text value;
    std::int64_t deadline = never;
    std::uint64_t snapshot = 0; // the last one that it is in, or that it is younger than
  };
  struct hash {
    using is_transparent = void;
    [[nodiscard]] std::size_t operator()(std::string_view key) const noexcept;
  };
  struct same {
    using is_transparent = void;
    [[nodiscard]] bool operator()(std::string_view a, std::string_view b) const noexcept {
      return a == b;
    }
  };
  using table = boost::unordered_flat_map<text, entry, hash, same>;
  struct call; // a command with all that it is about

  [[nodiscard]] table& table_of(std::string_view key) noexcept;
  // Null: there is none, or not any more.
  [[nodiscard]] entry* find(std::string_view key, call& c);
  // One that is not there.
  entry& put(std::string_view key);
  bool erase(std::string_view key);
  void set_deadline(std::string_view key, entry& of, std::int64_t at);
  void forget_old_deadlines();

  void set(call& c);
  void add(call& c, std::int64_t by);
  void append(call& c);
  void expire_at(call& c);
  void time_left(call& c, std::int64_t unit);
  void list(call& c);
  void scan(call& c);
  void flush();
  // Before a key changes.
  void preserve(std::string_view key);
  void put_into_snapshot(std::string_view key, entry& e, std::string& to);

  std::vector<table> tables_;
  std::size_t size_ = 0;
  // Deadlines that were set and have not come, some replaced since: the key's own one holds.
  using due = std::pair<std::int64_t, std::string>;
  std::priority_queue<due, std::vector<due>, std::greater<>> deadlines_;

  bool in_snapshot_ = false;
  std::uint64_t snapshot_ = 0;
  std::size_t next_table_ = 0; // of those that the snapshot has not been to
  std::vector<table> flushed_; // where they are if all keys were deleted meanwhile
  std::string preserved_;      // for the next piece
};

// The time on the wall in milliseconds since 1970.
[[nodiscard]] std::int64_t wall_clock() noexcept;

} // namespace kv

#endif
