// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The names of types and of enumerators, known to the compiler.

#ifndef SMARM_DETAIL_STATIC_NAME_HPP
#define SMARM_DETAIL_STATIC_NAME_HPP

#include <cstddef>
#include <string_view>

namespace smarm::detail {

// Out of what the compilers make of a function's name, as in "... [with auto Value = a::b; ...]".
[[nodiscard]] constexpr std::string_view unqualified_argument(std::string_view function,
                                                              std::string_view parameter) noexcept {
  std::string_view name = function.substr(function.find(parameter) + parameter.size());
  std::size_t depth = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  for (; end < name.size(); ++end) {
    const char c = name[end];
    if (depth == 0 && (c == ';' || c == ']' || c == ',')) {
      break;
    }
    if (c == '<' || c == '(' || c == '{') {
      ++depth;
    } else if (c == '>' || c == ')' || c == '}') {
      --depth;
    } else if (depth == 0 && c == ':') {
      begin = end + 1;
    }
  }
  return name.substr(begin, end - begin);
}

template <auto Value>
[[nodiscard]] constexpr std::string_view value_name() noexcept {
  return unqualified_argument(__PRETTY_FUNCTION__, "Value = ");
}
template <class Type>
[[nodiscard]] constexpr std::string_view type_name() noexcept {
  return unqualified_argument(__PRETTY_FUNCTION__, "Type = ");
}

} // namespace smarm::detail

#endif
