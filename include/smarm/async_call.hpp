// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Calling a server from Asio code: an asynchronous operation like any other, for any completion token.
//
//     smarm::async_call(counters, counter::get{}, 1s, [](error_code ec, long n) { ... });
//     long n = co_await smarm::async_call(counters, counter::get{}, 1s, boost::asio::use_awaitable);

#ifndef SMARM_ASYNC_CALL_HPP
#define SMARM_ASYNC_CALL_HPP

#include <smarm/detail/async_signature.hpp>
#include <smarm/detail/async_wait.hpp>
#include <smarm/error.hpp>
#include <smarm/server_ref.hpp>

#include <boost/asio/async_result.hpp>

#include <chrono>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace smarm {

namespace detail {

template <class R>
struct awaited_reply {
  reply_owner<R> answer; // without a cell: the request was not sent
  errc error{};
  bool timed = false;

  enrolment enroll(registration r) noexcept { return reply_source{*answer.cell()}.enroll(r); }
  bool satisfied() noexcept { return answer.cell()->state.answered(); }
  bool withdraw() noexcept { return reply_source{*answer.cell()}.withdraw(); }

  template <class Handler>
  void finish(Handler& handler, boost::system::error_code why) {
    boost::system::result<R> out = take(why);
    { const reply_owner<R> gone(std::move(answer)); } // before the handler, which may take its time
    async_signature<R>::call(handler, std::move(out));
  }

private:
  boost::system::result<R> take(boost::system::error_code why) {
    const auto failed = [](boost::system::error_code ec) {
      return boost::system::result<R>(boost::system::in_place_error, ec);
    };
    if (why.failed()) {
      return failed(why);
    }
    if (answer.cell() == nullptr) {
      return failed(make_error_code(error));
    }
    if (timed && answer.cell()->error == errc::expired) {
      return failed(make_error_code(errc::timed_out)); // the server saw it first
    }
    return answer.take();
  }
};

template <class S, class Request>
struct start_async_call {
  using reply = typename server_ref<S>::template reply_type<Request>;

  template <class Handler>
  void operator()(Handler&& handler, const server_ref<S>& to, Request request,
                  std::int64_t deadline) const {
    awaited_reply<reply> what;
    what.timed = deadline != no_deadline;
    what.answer = server_ref_access::send(to, std::move(request), deadline, what.error);
    const bool failed = what.answer.cell() == nullptr;
    start_async_wait(std::forward<Handler>(handler), std::move(what), deadline, failed);
  }
};

template <class S, class Request, class Token>
auto async_call_until(const server_ref<S>& to, Request&& request, std::int64_t deadline,
                      Token&& token) {
  using stored = std::decay_t<Request>;
  using reply = typename server_ref<S>::template reply_type<stored>;
  return boost::asio::async_initiate<Token, typename async_signature<reply>::type>(
      start_async_call<S, stored>(), token, to, stored(std::forward<Request>(request)), deadline);
}

} // namespace detail

// Sends a request, and calls the handler with the answer: void(error_code) if the reply is void, else
// void(error_code, Reply), or void(error_code, std::optional<Reply>) if a Reply cannot be made by
// default. From any thread, and in any context; waits for nothing, so that an inbox with a limit that is
// full refuses the request. Errors: those of server_ref::call; queue_full whatever the inbox's policy for
// senders that may wait; operation_aborted if it was cancelled, which gives up the answer, while the
// server may still handle the request. Throws what moving the request throws, and std::bad_alloc; then
// the handler is not called.
//
// The handler is called once, never from inside this function, by its associated executor, which is kept
// at work until then; if its context is destroyed before, so is the handler, uncalled. One without an
// executor is called where the caller's runtime runs its handlers or, from a plain thread, by
// boost::asio::system_executor. Any type of cancellation gives up the call. Neither suspends nor is a stop
// point, but with tokens that do.
template <class S, class Request, class Token>
auto async_call(const server_ref<S>& to, Request&& request, Token&& token) {
  return detail::async_call_until(to, std::forward<Request>(request), detail::no_deadline,
                                  std::forward<Token>(token));
}
// The same, and waits no longer than that: errc::timed_out.
template <class S, class Request, class Rep, class Period, class Token>
auto async_call(const server_ref<S>& to, Request&& request,
                const std::chrono::duration<Rep, Period>& limit, Token&& token) {
  return detail::async_call_until(to, std::forward<Request>(request),
                                  detail::deadline_after(limit), std::forward<Token>(token));
}
template <class S, class Request, class Clock, class Duration, class Token>
auto async_call(const server_ref<S>& to, Request&& request,
                const std::chrono::time_point<Clock, Duration>& deadline, Token&& token) {
  return detail::async_call_until(to, std::forward<Request>(request),
                                  detail::deadline_of(deadline), std::forward<Token>(token));
}

} // namespace smarm

#endif
