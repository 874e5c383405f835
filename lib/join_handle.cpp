// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/join_handle.hpp>

#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

namespace smarm {
namespace {

[[noreturn]] void refuse(errc code, const char* what) {
  throw boost::system::system_error(make_error_code(code), what);
}

void check_joiner(const detail::slot* target) {
  if (target == nullptr) {
    refuse(errc::no_process,
           "join_handle: the handle refers to no actor: it was joined, detached or moved from, or "
           "never had one");
  }
  const detail::scheduler* here = detail::current_scheduler();
  if (here != nullptr && here->current == target) {
    refuse(errc::would_deadlock, "join_handle: an actor cannot wait for its own end");
  }
}

} // namespace

exit_status join_handle::join_slowly() {
  check_joiner(slot_);
  detail::join_source source{*slot_};
  if (detail::wait_for_source<false>(source, detail::wait_kind::join) ==
          detail::wait_end::would_block &&
      !source.satisfied()) {
    refuse(errc::would_block_scheduler, "join_handle::join");
  }
  return take_outcome();
}

boost::system::result<exit_status> join_handle::join_before(std::int64_t deadline) {
  check_joiner(slot_);
  detail::join_source source{*slot_};
  switch (detail::wait_for_source<true>(source, detail::wait_kind::join, deadline)) {
  case detail::wait_end::ready: break;
  case detail::wait_end::timed_out: return make_error_code(errc::timed_out);
  case detail::wait_end::would_block:
    if (!source.satisfied()) {
      return make_error_code(errc::would_block_scheduler);
    }
    break;
  }
  return take_outcome();
}

void join_handle::detach() noexcept {
  if (slot_ == nullptr) {
    return;
  }
  detail::slot& s = *std::exchange(slot_, nullptr);
  if (!s.join.detach()) {
    detail::runtime_state::reclaim(detail::current_scheduler(), s);
  }
}

} // namespace smarm
