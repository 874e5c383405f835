// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// A keyspace in tests: asked by lines of words, and with all that is in it.

#ifndef KV_TEST_KEYS_HPP
#define KV_TEST_KEYS_HPP

#include "../../example/kv/keyspace.hpp"
#include "../../example/kv/resp_parser.hpp"

#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace kv_test {

// What the command has changed.
inline std::string change(kv::keyspace& keys, const std::string& line, std::int64_t now = 1000) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    words.push_back(word);
  }
  const std::vector<std::string_view> views(words.begin(), words.end());
  std::string reply, changes;
  keys.execute(*kv::find_command(views[0]), views, now, reply, changes);
  return changes;
}

// By key: the value, and the deadline if there is one.
using contents = std::map<std::string, std::string>;

inline contents contents_of(std::string_view snapshot) {
  contents all;
  kv::resp_parser parser;
  while (parser.parse(snapshot) == kv::resp_parser::outcome::command) {
    const auto& words = parser.parsed();
    std::string& value = all[std::string(words[1])];
    value += words[2]; // one that comes twice is seen
    if (words.size() > 3) {
      value.append(" until ").append(words[4]);
    }
    snapshot.remove_prefix(parser.consumed());
  }
  return all;
}

inline contents contents_of(kv::keyspace& keys) {
  std::string all;
  keys.begin_snapshot();
  while (keys.snapshot_piece(std::size_t{1} << 30, all)) {
  }
  return contents_of(all);
}

} // namespace kv_test

#endif
