// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Replies, and commands as they are logged, appended to a string.

#ifndef KV_RESP_WRITER_HPP
#define KV_RESP_WRITER_HPP

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace kv {

// What a client has asked for by HELLO: the second knows no maps, nulls and pushes.
enum class protocol : unsigned char { resp2 = 2, resp3 = 3 };

inline void append_number(std::string& to, std::int64_t value) {
  std::array<char, 24> digits;
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  to.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

namespace detail {
inline void header(std::string& to, char kind, std::int64_t value) {
  to += kind;
  append_number(to, value);
  to += "\r\n";
}
} // namespace detail

inline void write_simple(std::string& to, std::string_view text) {
  to.append(1, '+').append(text).append("\r\n");
}
inline void write_ok(std::string& to) { to += "+OK\r\n"; }
// The text with its code, as "ERR syntax error".
inline void write_error(std::string& to, std::string_view text) {
  to.append(1, '-').append(text).append("\r\n");
}
inline void write_integer(std::string& to, std::int64_t value) { detail::header(to, ':', value); }
inline void write_array(std::string& to, std::size_t elements) {
  detail::header(to, '*', static_cast<std::int64_t>(elements));
}
inline void write_null(std::string& to) { to += "$-1\r\n"; }
inline void write_null(std::string& to, protocol p) {
  to += p == protocol::resp3 ? "_\r\n" : "$-1\r\n";
}
// Of so many pairs.
inline void write_map(std::string& to, std::size_t pairs, protocol p) {
  p == protocol::resp3 ? detail::header(to, '%', static_cast<std::int64_t>(pairs))
                       : write_array(to, 2 * pairs);
}
// What a client gets without having asked for it at this moment.
inline void write_push(std::string& to, std::size_t elements, protocol p) {
  detail::header(to, p == protocol::resp3 ? '>' : '*', static_cast<std::int64_t>(elements));
}
inline void write_bulk(std::string& to, std::string_view text) {
  detail::header(to, '$', static_cast<std::int64_t>(text.size()));
  to.append(text).append("\r\n");
}
// A text for people.
inline void write_verbatim(std::string& to, std::string_view text, protocol p) {
  if (p == protocol::resp2) {
    return write_bulk(to, text);
  }
  detail::header(to, '=', static_cast<std::int64_t>(text.size() + 4));
  to.append("txt:").append(text).append("\r\n");
}
inline void write_command(std::string& to, std::initializer_list<std::string_view> words) {
  write_array(to, words.size());
  for (const std::string_view word : words) {
    write_bulk(to, word);
  }
}

} // namespace kv

#endif
