// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Locking a mutex that is not free.

#include <smarm/mutex.hpp>

#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

namespace smarm {
namespace {

void check_owner(const mutex& m) {
  if (detail::mutex_access::held_by_caller(m)) {
    throw boost::system::system_error(make_error_code(errc::would_deadlock), "smarm::mutex");
  }
}

} // namespace

SMARM_NOINLINE void mutex::lock_slowly() {
  check_owner(*this);
  detail::queued_wait<detail::mutex_core> wait(core_);
  if (detail::wait_for_source<false, detail::stoppable::no>(wait, detail::wait_kind::lock) ==
      detail::wait_end::would_block) {
    detail::throw_would_block("mutex::lock");
  }
}

bool mutex::lock_before(std::int64_t deadline) {
  check_owner(*this);
  if (deadline <= detail::monotonic_now()) {
    return false;
  }
  detail::queued_wait<detail::mutex_core> wait(core_);
  switch (detail::wait_for_source<true>(wait, detail::wait_kind::lock, deadline)) {
  case detail::wait_end::ready: return true;
  case detail::wait_end::timed_out: return false;
  case detail::wait_end::would_block: break;
  }
  detail::throw_would_block("timed_mutex::try_lock_until");
}

} // namespace smarm
