// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Learning in Asio code how an actor ended, for any completion token.
//
//     smarm::exit_status how = co_await smarm::async_join(std::move(handle), boost::asio::use_awaitable);

#ifndef SMARM_ASYNC_JOIN_HPP
#define SMARM_ASYNC_JOIN_HPP

#include <smarm/detail/async_signature.hpp>
#include <smarm/detail/async_wait.hpp>
#include <smarm/detail/construct_actor.hpp>
#include <smarm/error.hpp>
#include <smarm/join_handle.hpp>

#include <boost/asio/async_result.hpp>

#include <utility>

namespace smarm {

namespace detail {

struct awaited_end {
  join_handle handle;
  slot* target;

  enrolment enroll(registration r) noexcept { return join_source{*target}.enroll(r); }
  bool satisfied() noexcept { return join_source{*target}.satisfied(); }
  bool withdraw() noexcept { return join_source{*target}.withdraw(); }

  template <class Handler>
  void finish(Handler& handler, boost::system::error_code why) {
    if (!why.failed() && target == nullptr) {
      why = make_error_code(errc::no_process);
    }
    if (why.failed()) {
      handle.detach();
      std::move(handler)(why, exit_status());
      return;
    }
    exit_status how = handle.join(); // has ended: does not wait
    std::move(handler)(why, std::move(how));
  }
};

struct start_async_join {
  template <class Handler>
  void operator()(Handler&& handler, join_handle of) const {
    slot* const target = handle_access::target(of);
    start_async_wait(std::forward<Handler>(handler), awaited_end{std::move(of), target}, no_deadline,
                     target == nullptr);
  }
};

} // namespace detail

// Calls the handler when the actor has ended: void(error_code, exit_status). Errors: no_process if the
// handle is not joinable; operation_aborted if it was cancelled, which gives the handle up. Where the
// handler is called, and all else, is as with async_call.
template <class Token>
auto async_join(join_handle handle, Token&& token) {
  return boost::asio::async_initiate<Token, void(boost::system::error_code, exit_status)>(
      detail::start_async_join(), token, std::move(handle));
}

} // namespace smarm

#endif
