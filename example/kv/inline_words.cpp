// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "inline_words.hpp"

#include <charconv>
#include <cstddef>

namespace kv {

namespace {

constexpr std::string_view blanks(" \t\n\v\f\r\0", 7);

// What stands behind a backslash between double quotes; `at` is at it, and goes to its last character.
char escaped(std::string_view line, std::size_t& at) {
  if (line[at] == 'x' && at + 2 < line.size()) {
    unsigned value = 0;
    const char* const from = line.data() + at + 1;
    if (std::from_chars(from, from + 2, value, 16).ptr == from + 2) {
      at += 2;
      return static_cast<char>(value);
    }
  }
  switch (line[at]) {
  case 'n': return '\n';
  case 'r': return '\r';
  case 't': return '\t';
  case 'b': return '\b';
  case 'a': return '\a';
  default: return line[at];
  }
}

// From the opening quote at `at` to behind the closing one.
bool quoted(std::string_view line, std::size_t& at, std::string& word) {
  const char quote = line[at++];
  for (; at < line.size(); ++at) {
    if (line[at] == quote) {
      ++at;
      return at == line.size() || blanks.find(line[at]) != std::string_view::npos;
    }
    if (line[at] == '\\' && at + 1 < line.size() && (quote == '"' || line[at + 1] == '\'')) {
      ++at;
      word += quote == '"' ? escaped(line, at) : '\'';
    } else {
      word += line[at];
    }
  }
  return false;
}

} // namespace

bool split_words(std::string_view line, std::vector<std::string>& words) {
  words.clear();
  std::size_t at = 0;
  for (;;) {
    at = line.find_first_not_of(blanks, at);
    if (at == std::string_view::npos) {
      return true;
    }
    std::string& word = words.emplace_back();
    while (at < line.size() && blanks.find(line[at]) == std::string_view::npos) {
      if (line[at] == '"' || line[at] == '\'') {
        if (!quoted(line, at, word)) {
          return false;
        }
      } else {
        word += line[at++];
      }
    }
  }
}

} // namespace kv
