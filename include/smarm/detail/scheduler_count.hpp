// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How many of something there should be where nobody has said it: one for each scheduler.

#ifndef SMARM_DETAIL_SCHEDULER_COUNT_HPP
#define SMARM_DETAIL_SCHEDULER_COUNT_HPP

namespace smarm::detail {

// Of the caller's runtime; on a plain thread as many as a runtime has by default.
[[nodiscard]] unsigned scheduler_count() noexcept;

} // namespace smarm::detail

#endif
