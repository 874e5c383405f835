// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who is to answer a call that goes to whichever of several servers is free first: for who looks from
// outside, and keeps the caller from going on meanwhile.

#ifndef SMARM_DETAIL_REPLY_ROUTE_HPP
#define SMARM_DETAIL_REPLY_ROUTE_HPP

#include <atomic>

namespace smarm::detail {

struct slot;
struct pool_control;

struct reply_route {
  // Who has the request; null: nobody yet. In the request, which is there as long as the caller waits.
  const std::atomic<const slot*>* with;
  // The pool that it waits in until then. The caller's.
  const pool_control* pool;
};

} // namespace smarm::detail

#endif
