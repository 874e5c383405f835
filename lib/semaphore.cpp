// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The waits of a semaphore.

#include <smarm/semaphore.hpp>

namespace smarm::detail {

bool semaphore_base::acquire_before(std::int64_t deadline) {
  return deadline > monotonic_now() && acquire_slowly(deadline);
}

SMARM_NOINLINE bool semaphore_base::acquire_slowly(std::int64_t deadline) {
  queued_wait<semaphore_core> wait(core_);
  switch (deadline == no_deadline ? wait_for_source<false>(wait, wait_kind::permit)
                                  : wait_for_source<true>(wait, wait_kind::permit, deadline)) {
  case wait_end::ready: return true;
  case wait_end::timed_out: return false;
  case wait_end::would_block: break;
  }
  throw_would_block("semaphore::acquire");
}

} // namespace smarm::detail
