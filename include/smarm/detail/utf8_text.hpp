// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Labels and names are whatever bytes their owners chose; what is written as JSON or for Prometheus has
// to be UTF-8, and what a terminal shows must not be able to steer it.

#ifndef SMARM_DETAIL_UTF8_TEXT_HPP
#define SMARM_DETAIL_UTF8_TEXT_HPP

#include <string>
#include <string_view>

namespace smarm::detail {

// The same with each byte that is part of no valid sequence replaced by U+FFFD.
[[nodiscard]] std::string utf8_text(std::string_view from);

// The same, and each control character as "\x1b"; line ends are left if they are wanted.
enum class line_ends : bool { escaped, left };
[[nodiscard]] std::string printable_text(std::string_view from,
                                         line_ends lines = line_ends::escaped);

} // namespace smarm::detail

#endif
