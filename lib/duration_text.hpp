// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Durations for people.

#ifndef SMARM_LIB_DURATION_TEXT_HPP
#define SMARM_LIB_DURATION_TEXT_HPP

#include <chrono>
#include <string>

namespace smarm::detail {

// "1.5 s", "20 ms"; the longest there is is "infinity".
[[nodiscard]] std::string duration_text(std::chrono::nanoseconds d);

} // namespace smarm::detail

#endif
