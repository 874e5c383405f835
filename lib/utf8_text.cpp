// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/utf8_text.hpp>

#include <cstddef>

namespace smarm::detail {
namespace {

// The length of the UTF-8 sequence that begins there, or 0.
std::size_t sequence_at(std::string_view s, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned first = byte(at);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xc2 && first <= 0xdf ? 2
                             : first >= 0xe0 && first <= 0xef ? 3
                             : first >= 0xf0 && first <= 0xf4 ? 4
                                                              : 0;
  if (length == 0 || length > s.size() - at) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) {
      return 0;
    }
  }
  if (length > 2) { // neither longer than it need be, nor a surrogate, nor beyond the last one
    const unsigned second = byte(at + 1);
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) {
      return 0;
    }
  }
  return length;
}

} // namespace

std::string utf8_text(std::string_view from) {
  std::string out;
  out.reserve(from.size());
  for (std::size_t i = 0; i < from.size();) {
    const std::size_t length = sequence_at(from, i);
    out += length != 0 ? from.substr(i, length) : std::string_view("\xef\xbf\xbd");
    i += length != 0 ? length : 1;
  }
  return out;
}

std::string printable_text(std::string_view from, line_ends lines) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto escaped = [&](unsigned c) {
    return std::string("\\x") + digits[c >> 4] + digits[c & 0xf];
  };
  std::string out;
  const std::string text = utf8_text(from);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned c = static_cast<unsigned char>(text[i]);
    const unsigned next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (c == 0xc2 && next < 0xa0) { // those of eight bits, in UTF-8
      out += escaped(next);
      ++i;
    } else if ((c < 0x20 || c == 0x7f) && !(c == '\n' && lines == line_ends::left)) {
      out += escaped(c);
    } else {
      out += text[i];
    }
  }
  return out;
}

} // namespace smarm::detail
