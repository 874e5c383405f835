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

std::string expire_options::parse(std::span<const std::string_view> words) {
  for (const std::string_view word : words) {
    if (is_word(word, "NX")) {
      if_none = true;
    } else if (is_word(word, "XX")) {
      if_some = true;
    } else if (is_word(word, "GT")) {
      if_later = true;
    } else if (is_word(word, "LT")) {
      if_sooner = true;
    } else {
      return std::string("ERR Unsupported option ").append(word);
    }
  }
  if (if_none && (if_some || if_later || if_sooner)) {
    return "ERR NX and XX, GT or LT options at the same time are not compatible";
  }
  if (if_later && if_sooner) {
    return "ERR GT and LT options at the same time are not compatible";
  }
  return {};
}

bool expire_options::allow(std::int64_t old, std::int64_t fresh,
                           std::int64_t never) const noexcept {
  return !(if_none && old != never) && !(if_some && old == never) &&
         !(if_later && (old == never || fresh <= old)) && !(if_sooner && fresh >= old);
}

} // namespace kv
