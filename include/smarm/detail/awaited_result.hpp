// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What an awaited operation returns, by the signature of its handler:
//
//   void(error_code, T...)      the values; an error is thrown or, in a result, returned
//   void(exception_ptr, T...)   the values; an exception is thrown
//   void(T...)                  the values
//
// No value is void, one is itself, several are a tuple.

#ifndef SMARM_DETAIL_AWAITED_RESULT_HPP
#define SMARM_DETAIL_AWAITED_RESULT_HPP

#include <smarm/detail/awaited_operation.hpp>
#include <smarm/error.hpp>

#include <boost/asio/error.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>
#include <boost/system/system_error.hpp>

#include <exception>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace smarm::detail {

enum class await_failure : bool { returned, thrown };

inline void joined() {}
template <class T>
T joined(T& one) {
  return std::move(one);
}
template <class T, class U, class... More>
std::tuple<T, U, More...> joined(T& first, U& second, More&... more) {
  return {std::move(first), std::move(second), std::move(more)...};
}
template <class... T>
using joined_t = decltype(joined(std::declval<T&>()...));

// An operation that was cancelled since its deadline had passed is late.
inline boost::system::error_code seen_late(const awaited_operation& what,
                                           boost::system::error_code ec) noexcept {
  return what.expired() && ec == boost::asio::error::operation_aborted
             ? make_error_code(errc::timed_out)
             : ec;
}

[[noreturn]] inline void throw_awaited(boost::system::error_code ec) {
  throw boost::system::system_error(ec, "smarm::await");
}

template <await_failure Failure, class... Values>
struct awaited_result {
  using type = joined_t<Values...>;

  static type get(awaited_values<Values...>& what) {
    if (what.abandoned()) {
      throw_awaited(boost::asio::error::operation_aborted);
    }
    return std::apply([](auto&... values) -> type { return joined(values...); }, what.values());
  }
};

// As with as_tuple, whose error is the user's to look at.
template <await_failure Failure, class... Values>
struct awaited_result<Failure, std::tuple<boost::system::error_code, Values...>> {
  using type = std::tuple<boost::system::error_code, Values...>;

  static type get(awaited_values<type>& what) {
    if (what.abandoned()) {
      throw_awaited(boost::asio::error::operation_aborted);
    }
    type& values = std::get<0>(what.values());
    std::get<0>(values) = seen_late(what, std::get<0>(values));
    return std::move(values);
  }
};

template <await_failure Failure, class... Values>
struct awaited_result<Failure, boost::system::error_code, Values...> {
  using value = joined_t<Values...>;
  using type = std::conditional_t<Failure == await_failure::thrown, value,
                                  boost::system::result<value>>;

  static type get(awaited_values<boost::system::error_code, Values...>& what) {
    if (what.abandoned()) {
      return failed(boost::asio::error::operation_aborted);
    }
    return std::apply(
        [&what](boost::system::error_code& ec, auto&... values) -> type {
          if (ec) {
            return failed(seen_late(what, ec));
          }
          if constexpr (std::is_void_v<value> && Failure == await_failure::returned) {
            return {};
          } else {
            return joined(values...);
          }
        },
        what.values());
  }

private:
  static type failed(boost::system::error_code ec) {
    if constexpr (Failure == await_failure::thrown) {
      throw_awaited(ec);
    } else {
      return ec;
    }
  }
};

template <await_failure Failure, class... Values>
struct awaited_result<Failure, std::exception_ptr, Values...> {
  using type = joined_t<Values...>;

  static type get(awaited_values<std::exception_ptr, Values...>& what) {
    if (what.abandoned()) {
      throw_awaited(boost::asio::error::operation_aborted);
    }
    return std::apply(
        [](std::exception_ptr& failure, auto&... values) -> type {
          if (failure != nullptr) {
            std::rethrow_exception(std::move(failure));
          }
          return joined(values...);
        },
        what.values());
  }
};

// What boost::asio::async_result is for a token.
template <await_failure Failure, class... Values>
struct await_initiation {
  using result = awaited_result<Failure, std::decay_t<Values>...>;
  using return_type = typename result::type; // Beast asks for it

  template <class Initiation, class Token, class... Args>
  static return_type initiate(Initiation&& initiation, const Token& token, Args&&... args) {
    using plain = std::remove_cvref_t<Initiation>;
    awaited_values<std::decay_t<Values>...> what(
        &post_cancel_for<plain>,
        const_cast<void*>(static_cast<const void*>(std::addressof(initiation))));
    detail::initiate(what, std::forward<Initiation>(initiation), std::forward<Args>(args)...);
    what.wait(token.deadline());
    return result::get(what);
  }
};

} // namespace smarm::detail

#endif
