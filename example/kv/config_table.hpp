// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What CONFIG GET tells: the settings under the names that Redis has for them, and its limits.

#ifndef KV_CONFIG_TABLE_HPP
#define KV_CONFIG_TABLE_HPP

#include "settings.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kv {

// Those of which the name matches one of the patterns, each once.
[[nodiscard]] std::vector<std::pair<std::string, std::string>>
find_config(const settings& how, std::uint16_t port, std::span<const std::string_view> patterns);

} // namespace kv

#endif
