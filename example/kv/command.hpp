// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The commands that there are: their names, how many arguments they take, and where their keys are.

#ifndef KV_COMMAND_HPP
#define KV_COMMAND_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace kv {

enum class verb : std::uint8_t {
  // about one key each, carried out by the partition that the key belongs to
  get,
  set,
  incr,
  decr,
  incrby,
  decrby,
  append,
  strlen,
  expire,
  pexpire,
  pexpireat,
  ttl,
  pttl,
  persist,
  // about any number of keys, carried out key by key
  del,
  exists,
  mget,
  mset,
  // about all keys of a partition
  keys,
  scan,
  dbsize,
  flushall,
  // about the log of a partition
  bgrewriteaof,
  bgsave,
  // about the connection, or the server
  ping,
  echo,
  hello,
  select,
  quit,
  command,
  client,
  info,
  config,
  debug,
  reset,
  // about what clients tell each other
  publish,
  subscribe,
  psubscribe,
  unsubscribe,
  punsubscribe,
  // about commands that belong together
  multi,
  exec,
  discard,
};

// Which arguments are keys, and what becomes of the replies of those who have the keys.
enum class spread : std::uint8_t {
  none,     // the connection answers
  one_key,  // the first argument is the key
  sum,      // all are keys; the replies are numbers, which are added
  each,     // all are keys; the replies are the elements of an array
  pairs,    // keys and values, set one by one; the reply is OK
  all_sum,  // every partition; the replies are numbers, which are added
  all_ok,   // every partition; the reply is OK
  all_same, // every partition; the reply is that of any of them
  all_join, // every partition; the replies are arrays, which become one
  cursor,   // the partition that the cursor is in
};

struct command {
  std::string_view name; // in capitals
  verb what;
  spread keys;
  int arity; // with the name itself; negative: at least so many
};

// In capitals or not. Null: there is no such command.
[[nodiscard]] const command* find_command(std::string_view name) noexcept;

[[nodiscard]] std::size_t command_count() noexcept;

// Whether a command may have so many arguments, its name being one.
[[nodiscard]] constexpr bool takes(const command& c, std::size_t count) noexcept {
  const auto n = static_cast<std::ptrdiff_t>(count);
  return c.arity >= 0 ? n == c.arity : n >= -c.arity;
}

// Two texts that are the same but for capitals; the second one is in capitals.
[[nodiscard]] bool is_word(std::string_view text, std::string_view capitals) noexcept;

// DEBUG CRASH key, which is for the partition that the key belongs to.
[[nodiscard]] bool is_crash(const command& what, std::span<const std::string_view> words) noexcept;

} // namespace kv

#endif
