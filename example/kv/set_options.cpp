// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "set_options.hpp"

#include "command.hpp"
#include "number.hpp"

#include <cstddef>
#include <limits>

namespace kv {

bool deadline_in(std::int64_t count, std::int64_t unit, std::int64_t from,
                 std::int64_t& deadline) noexcept {
  std::int64_t time = 0;
  return !__builtin_mul_overflow(count, unit, &time) &&
         !__builtin_add_overflow(time, from, &deadline) &&
         deadline != std::numeric_limits<std::int64_t>::max();
}

const char* set_options::parse(std::span<const std::string_view> words, std::int64_t now) {
  struct way {
    std::string_view name;
    std::int64_t unit;
    bool absolute;
  };
  static constexpr way ways[] = {
      {"EX", 1000, false}, {"PX", 1, false}, {"EXAT", 1000, true}, {"PXAT", 1, true}};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_word(words[i], "NX")) {
      if_absent = true;
    } else if (is_word(words[i], "XX")) {
      if_present = true;
    } else if (is_word(words[i], "GET")) {
      get = true;
    } else if (is_word(words[i], "KEEPTTL")) {
      keep_deadline = true;
    } else {
      const way* found = nullptr;
      for (const way& w : ways) {
        found = is_word(words[i], w.name) ? &w : found;
      }
      if (found == nullptr || has_deadline || ++i == words.size()) {
        return syntax_error;
      }
      has_deadline = true;
      const auto count = number<std::int64_t>(words[i]);
      if (!count) {
        return not_an_integer;
      }
      if (*count <= 0 || !deadline_in(*count, found->unit, found->absolute ? 0 : now, deadline)) {
        return "ERR invalid expire time in 'set' command";
      }
    }
  }
  return (if_absent && if_present) || (keep_deadline && has_deadline) ? syntax_error : nullptr;
}

} // namespace kv
