// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Waiting for a latch.

#include <smarm/latch.hpp>

#include <smarm/detail/this_caller.hpp>
#include <smarm/detail/wait.hpp>

namespace smarm {

void latch::wait() const {
  detail::stop_point_here();
  if (core_.open()) {
    return;
  }
  detail::queued_wait<detail::latch_core> wait(core_);
  if (detail::wait_for_source<false>(wait, detail::wait_kind::condition) ==
      detail::wait_end::would_block) {
    detail::throw_would_block("latch::wait");
  }
}

} // namespace smarm
