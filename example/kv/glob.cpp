// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "glob.hpp"

#include <algorithm>
#include <cstddef>

namespace kv {

namespace {

// Whether the pattern's element at `at` takes the character; `at` goes behind the element.
bool takes(std::string_view pattern, std::size_t& at, char c) noexcept {
  const char first = pattern[at++];
  if (first == '?') {
    return true;
  }
  if (first == '\\' && at < pattern.size()) {
    return pattern[at++] == c;
  }
  if (first != '[') {
    return first == c;
  }
  const bool negated = at < pattern.size() && pattern[at] == '^';
  at += negated ? 1 : 0;
  bool found = false;
  while (at < pattern.size() && pattern[at] != ']') {
    if (pattern[at] == '\\' && at + 1 < pattern.size()) {
      ++at;
    }
    char low = pattern[at++];
    char high = low;
    if (at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']') {
      high = pattern[at + 1];
      at += 2;
    }
    if (low > high) {
      std::swap(low, high);
    }
    found = found || (low <= c && c <= high);
  }
  at += at < pattern.size() ? 1 : 0;
  return found != negated;
}

} // namespace

bool matches(std::string_view pattern, std::string_view text) noexcept {
  std::size_t p = 0, t = 0;
  // Where the last star stood, and how far it has been stretched: the ones before need not move again.
  std::size_t star = std::string_view::npos, stretched = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      stretched = t;
      continue;
    }
    if (p < pattern.size() && takes(pattern, p, text[t])) {
      ++t;
      continue;
    }
    if (star == std::string_view::npos) {
      return false;
    }
    p = star;
    t = ++stretched;
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

} // namespace kv
