// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// KEYS and SCAN, which look at all keys or at many.

#include "keyspace.hpp"

#include "glob.hpp"
#include "keyspace_call.hpp"
#include "number.hpp"
#include "resp_writer.hpp"
#include "set_options.hpp"

namespace kv {

void keyspace::list(call& c) {
  std::vector<std::string_view> found;
  for (const table& in : tables_) {
    for (const auto& [key, e] : in) {
      if (e.deadline > c.now && matches(c.words[1], key)) {
        found.push_back(key);
      }
    }
  }
  write_array(c.reply, found.size());
  for (const std::string_view key : found) {
    write_bulk(c.reply, key);
  }
}

// The cursor is the number of the table to go on with, 0 at the end: what else is in it is the caller's.
void keyspace::scan(call& c) {
  const auto cursor = number<std::uint64_t>(c.words[1]);
  if (!cursor) {
    return write_error(c.reply, "ERR invalid cursor");
  }
  std::size_t least = 10;
  std::string_view pattern = "*";
  bool strings = true;
  for (std::size_t i = 2; i < c.words.size(); i += 2) {
    if (i + 1 == c.words.size()) {
      return write_error(c.reply, syntax_error);
    }
    if (is_word(c.words[i], "COUNT")) {
      const auto count = number<std::int64_t>(c.words[i + 1]);
      if (!count) {
        return write_error(c.reply, not_an_integer);
      }
      if (*count < 1) {
        return write_error(c.reply, syntax_error);
      }
      least = static_cast<std::size_t>(*count);
    } else if (is_word(c.words[i], "MATCH")) {
      pattern = c.words[i + 1];
    } else if (is_word(c.words[i], "TYPE")) {
      strings = is_word(c.words[i + 1], "STRING");
    } else {
      return write_error(c.reply, syntax_error);
    }
  }
  std::vector<std::string_view> found;
  std::size_t at = *cursor, seen = 0;
  for (; at < tables && seen < least; ++at) {
    seen += tables_[at].size();
    for (const auto& [key, e] : tables_[at]) {
      if (strings && e.deadline > c.now && matches(pattern, key)) {
        found.push_back(key);
      }
    }
  }
  write_array(c.reply, 2);
  std::string next;
  append_number(next, at < tables ? static_cast<std::int64_t>(at) : 0);
  write_bulk(c.reply, next);
  write_array(c.reply, found.size());
  for (const std::string_view key : found) {
    write_bulk(c.reply, key);
  }
}

} // namespace kv
