// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Numbers as Redis reads them: all of the text, in decimal, and no sign but '-'.

#ifndef KV_NUMBER_HPP
#define KV_NUMBER_HPP

#include <charconv>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace kv {

template <std::integral T>
[[nodiscard]] std::optional<T> number(std::string_view text) noexcept {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end) {
    return std::nullopt;
  }
  return value;
}

// The one way in which Redis writes a number, so that a value is a number or a text, never both: no
// leading zeros, no "-0".
[[nodiscard]] inline std::optional<std::int64_t> canonical(std::string_view text) noexcept {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.starts_with('0') && text.size() > 1) {
    return std::nullopt;
  }
  return number<std::int64_t>(text);
}

} // namespace kv

#endif
