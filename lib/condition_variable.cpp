// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The waits of a condition variable.

#include <smarm/condition_variable.hpp>

#include <boost/system/errc.hpp>
#include <boost/system/system_error.hpp>

namespace smarm {
namespace {

// However the wait ends, the mutex is the caller's again.
struct relock {
  mutex& released;
  const detail::condition_wait& wait;

  ~relock() {
    if (wait.released) {
      released.lock();
    }
  }
};

template <class Source>
bool wait_for_notify(Source& wait, std::int64_t deadline) {
  const auto end =
      deadline == detail::no_deadline
          ? detail::wait_for_source<false>(wait, detail::wait_kind::condition)
          : detail::wait_for_source<true>(wait, detail::wait_kind::condition, deadline);
  if (end == detail::wait_end::would_block) {
    detail::throw_would_block("condition_variable::wait");
  }
  return end == detail::wait_end::ready;
}

} // namespace

bool condition_variable::wait_before(mutex* held, std::int64_t deadline) {
  if (held == nullptr || !detail::mutex_access::held_by_caller(*held)) {
    throw boost::system::system_error(make_error_code(boost::system::errc::operation_not_permitted),
                                      "condition_variable: the caller does not hold the mutex");
  }
  detail::condition_wait wait(core_, detail::mutex_access::core(*held));
  const relock afterwards{*held, wait};
  return wait_for_notify(wait, deadline);
}

bool condition_variable_any::wait_before(detail::announced_wait& wait, std::int64_t deadline) {
  return wait_for_notify(wait, deadline);
}

} // namespace smarm
