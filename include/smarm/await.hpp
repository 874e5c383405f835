// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Asio's asynchronous operations, called as if they blocked: with the completion token smarm::await an
// operation suspends the calling actor, and no one else, until it is done.
//
//     std::size_t n = socket.async_read_some(buffer, smarm::await);            // throws system_error
//     auto got = socket.async_read_some(buffer, smarm::try_await.within(5s));  // result<std::size_t>
//
// Any operation that takes a token will do: Asio's own, Beast's, a composed one, one of your own. Where
// its handler takes an error_code, await throws it as boost::system::system_error and try_await returns
// a boost::system::result. Values are returned: none is void, one is itself, several are a tuple.
//
// When the actor is asked to stop, or a deadline passes, the operation is cancelled, and the actor goes
// on when its handler has run: the operation may be using buffers in the actor's frame until then. An
// operation that cannot be cancelled, as name resolution, holds it up until it is done. One that was
// done all the same counts as done. After a composed operation was cancelled half-way its stream is in
// an unknown state: close it. The cancellation is carried out by the executor of the operation, which its
// initiation names by get_executor(), as those of Asio's I/O objects and of async_compose do. An
// initiation of your own that names none is cancelled by the executor of the runtime: give it one if
// its handlers run elsewhere, in an io_context that another thread runs or on a strand.

#ifndef SMARM_AWAIT_HPP
#define SMARM_AWAIT_HPP

#include <smarm/detail/awaited_result.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/executor.hpp>

#include <boost/asio/async_result.hpp>

#include <chrono>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace smarm {

// The type of await and try_await. Copies are the same token. Making one neither suspends nor is a
// stop point; the operation that is called with it suspends, unless it is done at once, and is a stop
// point. It throws boost::system::system_error: not_in_actor on a plain thread; would_block_scheduler
// in scheduler context, as in an Asio handler; operation_aborted if its io_context was destroyed. Then
// nothing was begun but in the last case.
template <detail::await_failure Failure>
class basic_await {
public:
  constexpr basic_await() noexcept = default;

  // The same token with a deadline so far from now; no deadline if that is further than the clock
  // goes. An operation that is not done by then is cancelled: errc::timed_out in place of
  // operation_aborted. With redirect_error it stays operation_aborted.
  template <class Rep, class Period>
  [[nodiscard]] basic_await within(const std::chrono::duration<Rep, Period>& limit) const {
    return basic_await(detail::deadline_after(limit));
  }
  // The same with a deadline at that time.
  template <class Clock, class Duration>
  [[nodiscard]] basic_await until(const std::chrono::time_point<Clock, Duration>& at) const {
    return basic_await(detail::deadline_of(at));
  }

  // In nanoseconds of the monotonic clock; the largest value: none.
  [[nodiscard]] constexpr std::int64_t deadline() const noexcept { return deadline_; }

  // An executor that makes this token the default of the I/O objects that are made with it.
  template <class Inner>
  struct executor_with_default : Inner {
    using default_completion_token_type = basic_await;
    template <class Other>
      requires(!std::is_same_v<Other, executor_with_default> &&
               std::is_convertible_v<Other, Inner>)
    executor_with_default(const Other& other) noexcept : Inner(other) {}
  };

  // The type of an I/O object whose operations may be called without a token, and then take this one.
  template <class Object>
  using as_default_on_t = typename Object::template rebind_executor<
      executor_with_default<typename Object::executor_type>>::other;
  // Makes one of an object.
  template <class Object>
  [[nodiscard]] static as_default_on_t<std::decay_t<Object>> as_default_on(Object&& object) {
    return as_default_on_t<std::decay_t<Object>>(std::forward<Object>(object));
  }

private:
  constexpr explicit basic_await(std::int64_t deadline) noexcept : deadline_(deadline) {}

  std::int64_t deadline_ = detail::no_deadline;
};

using await_t = basic_await<detail::await_failure::thrown>;
using try_await_t = basic_await<detail::await_failure::returned>;

inline constexpr await_t await{};
inline constexpr try_await_t try_await{};

} // namespace smarm

template <smarm::detail::await_failure Failure, class R, class... Values>
class boost::asio::async_result<smarm::basic_await<Failure>, R(Values...)>
    : public smarm::detail::await_initiation<Failure, Values...> {};

#endif
