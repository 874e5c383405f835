// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What may stand behind SET key value, and EXPIRE key time.

#ifndef KV_SET_OPTIONS_HPP
#define KV_SET_OPTIONS_HPP

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kv {

struct set_options {
  bool if_absent = false, if_present = false, get = false, keep_deadline = false;
  bool has_deadline = false;
  std::int64_t deadline = 0; // in milliseconds since 1970

  // What is wrong with them, in Redis's words; null: nothing.
  [[nodiscard]] const char* parse(std::span<const std::string_view> words, std::int64_t now);
};

struct expire_options {
  bool if_none = false, if_some = false, if_later = false, if_sooner = false;

  // What is wrong with them; empty: nothing.
  [[nodiscard]] std::string parse(std::span<const std::string_view> words);
  // Whether a key may get that deadline in place of its old one, which is `never` if it has none.
  [[nodiscard]] bool allow(std::int64_t old, std::int64_t fresh, std::int64_t never) const noexcept;
};

// So many units of so many milliseconds after `from`: false if no clock goes that far.
[[nodiscard]] bool deadline_in(std::int64_t count, std::int64_t unit, std::int64_t from,
                               std::int64_t& deadline) noexcept;

inline constexpr const char* syntax_error = "ERR syntax error";
inline constexpr const char* not_an_integer = "ERR value is not an integer or out of range";

} // namespace kv

#endif
