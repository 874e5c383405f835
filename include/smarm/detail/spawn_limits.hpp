// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Which spawn options a runtime accepts, and what to say of one that it does not.

#ifndef SMARM_DETAIL_SPAWN_LIMITS_HPP
#define SMARM_DETAIL_SPAWN_LIMITS_HPP

#include <smarm/spawn_options.hpp>

#include <string>

namespace smarm::detail {

[[nodiscard]] bool within_limits(const spawn_options& options, unsigned schedulers) noexcept;

// The first field that is out of its range, its value and the range; empty if all are right.
[[nodiscard]] std::string beyond_limits(const spawn_options& options, unsigned schedulers);

} // namespace smarm::detail

#endif
