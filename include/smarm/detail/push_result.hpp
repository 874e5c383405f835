// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What became of a push into an inbox or a bounded ring.

#ifndef SMARM_DETAIL_PUSH_RESULT_HPP
#define SMARM_DETAIL_PUSH_RESULT_HPP

namespace smarm::detail {

enum class push_result : unsigned char {
  pushed,
  pushed_and_wake, // the receiver waited: its registration was handed over and must be woken
  full,            // bounded only; the value stays with the caller
  closed           // nothing will be taken any more; node or value stays with the caller
};

} // namespace smarm::detail

#endif
