// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How the library counts time below its public interface: nanoseconds of the monotonic clock in a
// std::int64_t, and one value for "never".

#ifndef SMARM_DETAIL_DEADLINE_HPP
#define SMARM_DETAIL_DEADLINE_HPP

#include <cstdint>

namespace smarm::detail {

inline constexpr std::int64_t no_deadline = INT64_MAX;

} // namespace smarm::detail

#endif
