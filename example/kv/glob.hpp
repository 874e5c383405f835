// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Patterns of KEYS and SCAN: * ? [abc] [^a] [a-z] and \x.

#ifndef KV_GLOB_HPP
#define KV_GLOB_HPP

#include <string_view>

namespace kv {

// Quadratic at worst, also for patterns with many stars.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text) noexcept;

} // namespace kv

#endif
