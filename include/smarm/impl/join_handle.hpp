// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#ifndef SMARM_IMPL_JOIN_HANDLE_HPP
#define SMARM_IMPL_JOIN_HANDLE_HPP

#include <smarm/join_handle.hpp>

#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/wait.hpp>

namespace smarm {

namespace detail {

// Waits for a slot's join word to become done.
struct join_source {
  slot& target;

  enrolment enroll(registration r) noexcept {
    return target.join.enroll(target.joiner, r.who, r.ticket) ? enrolment::enrolled
                                                              : enrolment::ready;
  }
  bool satisfied() noexcept { return target.join.ended(); }
  bool withdraw() noexcept { return target.join.withdraw(); }
  [[nodiscard]] const slot* whom() const noexcept { return &target; }
};

} // namespace detail

inline exit_status join_handle::take_outcome() noexcept {
  detail::slot& s = *std::exchange(slot_, nullptr);
  exit_status outcome;
  if (SMARM_UNLIKELY(s.outcome.kind() != exit_kind::normal)) {
    outcome = std::move(s.outcome);
  }
  detail::runtime_state::reclaim(detail::current_scheduler(), s);
  return outcome;
}

inline exit_status join_handle::join() {
  detail::scheduler* here = detail::current_scheduler();
  if (SMARM_LIKELY(here != nullptr && slot_ != nullptr && here->is_actor(here->current) &&
                   slot_->join.ended())) {
    detail::stop_point(*here, *here->current.load());
    return take_outcome();
  }
  return join_slowly();
}

template <class Rep, class Period>
boost::system::result<exit_status>
join_handle::join_for(const std::chrono::duration<Rep, Period>& limit) {
  return join_before(detail::deadline_after(limit));
}

template <class Clock, class Duration>
boost::system::result<exit_status>
join_handle::join_until(const std::chrono::time_point<Clock, Duration>& deadline) {
  return join_before(detail::deadline_of(deadline));
}

} // namespace smarm

#endif
