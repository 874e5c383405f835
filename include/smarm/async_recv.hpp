// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Receiving from a channel in Asio code, for any completion token.
//
//     job next = co_await smarm::async_recv(jobs, boost::asio::use_awaitable);

#ifndef SMARM_ASYNC_RECV_HPP
#define SMARM_ASYNC_RECV_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/async_signature.hpp>
#include <smarm/detail/async_wait.hpp>
#include <smarm/detail/receive_source.hpp>
#include <smarm/error.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <cstdint>
#include <utility>

namespace smarm {

namespace detail {

template <class T>
struct awaited_message {
  receiver<T>* from;
  channel_core<T>* core;

  enrolment enroll(registration r) noexcept { return receive_source<T>{*core}.enroll(r); }
  bool satisfied() noexcept { return core->ready(); }
  bool withdraw() noexcept { return receive_source<T>{*core}.withdraw(); }

  template <class Handler>
  void finish(Handler& handler, boost::system::error_code why) {
    async_signature<T>::call(handler, take(why));
  }

private:
  boost::system::result<T> take(boost::system::error_code why) {
    if (why.failed()) {
      return {boost::system::in_place_error, why};
    }
    try {
      boost::system::result<T> got = from->try_recv();
      // Told, and yet nothing is there: somebody else receives, too.
      return got.has_error() && got.error() == errc::empty
                 ? boost::system::result<T>(boost::system::in_place_error,
                                            make_error_code(errc::already_waiting))
                 : std::move(got);
    } catch (const boost::system::system_error& e) {
      return {boost::system::in_place_error, e.code()};
    }
  }
};

template <class T>
struct start_async_recv {
  template <class Handler>
  void operator()(Handler&& handler, receiver<T>* from, std::int64_t deadline) const {
    channel_core<T>* const core = channel_access::core(*from);
    start_async_wait(std::forward<Handler>(handler), awaited_message<T>{from, core}, deadline,
                     core == nullptr);
  }
};

template <class T, class Token>
auto async_recv_until(receiver<T>& from, std::int64_t deadline, Token&& token) {
  return boost::asio::async_initiate<Token, typename async_signature<T>::type>(
      start_async_recv<T>(), token, &from, deadline);
}

} // namespace detail

// Takes the oldest message, when there is one, and calls the handler with it: void(error_code, T), or
// void(error_code, std::optional<T>) if a T cannot be made by default. The receiver stays the caller's,
// and is neither moved, destroyed nor received from until then. Errors: closed, already_waiting if
// somebody receives there all the same, operation_aborted if it was cancelled, which takes no message.
// Where the handler is called, and all else, is as with async_call.
template <class T, class Token>
auto async_recv(receiver<T>& from, Token&& token) {
  return detail::async_recv_until(from, detail::no_deadline, std::forward<Token>(token));
}
// The same, and waits no longer than that: errc::timed_out.
template <class T, class Rep, class Period, class Token>
auto async_recv(receiver<T>& from, const std::chrono::duration<Rep, Period>& limit, Token&& token) {
  return detail::async_recv_until(from, detail::deadline_after(limit), std::forward<Token>(token));
}
template <class T, class Clock, class Duration, class Token>
auto async_recv(receiver<T>& from, const std::chrono::time_point<Clock, Duration>& deadline,
                Token&& token) {
  return detail::async_recv_until(from, detail::deadline_of(deadline), std::forward<Token>(token));
}

} // namespace smarm

#endif
