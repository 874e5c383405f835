// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The answer to a call that somebody has made without waiting for it. Many may be under way at once:
//
//     auto a = users.send_request(find{1});
//     auto b = users.send_request(find{2});
//     user first = a.recv().value();     // or smarm::select(a, b)

#ifndef SMARM_PENDING_REPLY_HPP
#define SMARM_PENDING_REPLY_HPP

#include <smarm/detail/receive_point.hpp>
#include <smarm/detail/reply_cell.hpp>
#include <smarm/detail/select_arm.hpp>
#include <smarm/error.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <cstdint>
#include <utility>

namespace smarm {

namespace detail {
struct pending_access;
}

// One actor or thread waits for it at a time; it may be moved to another. Destroying it gives up the
// answer: the server may still handle the request. One that was moved from, or received from, has no
// answer to give: errc::closed.
template <class R>
class [[nodiscard]] pending_reply {
public:
  pending_reply() noexcept = default;

  // Waits for the answer, and takes it. Suspends. A stop point and a checkpoint. Errors: server_down
  // (the server ended, or dropped the call), expired (the request's deadline had passed before the
  // server took it up), would_block_scheduler, closed. Constant time.
  [[nodiscard]] boost::system::result<R> recv() { return receive<false>(detail::no_deadline); }
  // The same, and waits no longer than that: errc::timed_out; it may be waited for again.
  template <class Rep, class Period>
  [[nodiscard]] boost::system::result<R> recv_for(const std::chrono::duration<Rep, Period>& limit) {
    return receive<true>(detail::deadline_after(limit));
  }
  template <class Clock, class Duration>
  [[nodiscard]] boost::system::result<R>
  recv_until(const std::chrono::time_point<Clock, Duration>& deadline) {
    return receive<true>(detail::deadline_of(deadline));
  }
  // The same without waiting: errc::empty. Neither suspends nor is a stop point.
  [[nodiscard]] boost::system::result<R> try_recv() {
    if (owner_.cell() == nullptr) {
      return detail::not_received<R>(make_error_code(errc::closed));
    }
    return ready() ? owner_.take() : detail::not_received<R>(make_error_code(errc::empty));
  }

  // A receive would return at once. Does not suspend.
  [[nodiscard]] bool ready() const noexcept {
    return owner_.cell() == nullptr || owner_.cell()->state.answered();
  }

private:
  friend struct detail::pending_access;
  pending_reply(detail::reply_owner<R> owner, const detail::slot* from) noexcept
      : owner_(std::move(owner)), from_(from) {}

  template <bool Timed>
  boost::system::result<R> receive(std::int64_t deadline) {
    if (owner_.cell() == nullptr) {
      return detail::not_received<R>(make_error_code(errc::closed));
    }
    detail::receive_point();
    if (!ready()) {
      detail::reply_source source{*owner_.cell(), from_};
      switch (detail::wait_for_source<Timed>(source, detail::wait_kind::reply, deadline)) {
      case detail::wait_end::ready: break;
      case detail::wait_end::timed_out:
        return detail::not_received<R>(make_error_code(errc::timed_out));
      case detail::wait_end::would_block:
        return detail::not_received<R>(make_error_code(errc::would_block_scheduler));
      }
      if (!ready()) {
        detail::refuse_second_receiver();
      }
    }
    return owner_.take();
  }

  detail::reply_owner<R> owner_;
  const detail::slot* from_ = nullptr; // who is to answer, if that is known
};

namespace detail {

struct pending_access {
  template <class R>
  [[nodiscard]] static pending_reply<R> make(reply_owner<R> owner,
                                             const slot* from = nullptr) noexcept {
    return pending_reply<R>(std::move(owner), from);
  }
  template <class R>
  [[nodiscard]] static reply_cell* cell(const pending_reply<R>& p) noexcept {
    return p.owner_.cell();
  }
};

template <class R>
struct reply_arm {
  static reply_cell* cell(void* arm) noexcept {
    return pending_access::cell(*static_cast<const pending_reply<R>*>(arm));
  }
  static bool ready(void* arm) noexcept {
    const reply_cell* c = cell(arm);
    return c == nullptr || c->state.answered();
  }
  static enrolment enroll(void* arm, registration who) noexcept {
    reply_cell* c = cell(arm);
    return c == nullptr ? enrolment::ready : reply_source{*c}.enroll(who);
  }
  static bool withdraw(void* arm) noexcept { return reply_source{*cell(arm)}.withdraw(); }

  static constexpr select_arm_operations operations{&ready, &ready, &enroll, &withdraw};
};

template <class R>
struct select_arm_maker<pending_reply<R>> {
  [[nodiscard]] static select_arm make(pending_reply<R>& p) noexcept {
    return {&p, &reply_arm<R>::operations};
  }
};

} // namespace detail
} // namespace smarm

#endif
