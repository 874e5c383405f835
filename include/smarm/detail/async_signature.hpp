// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// With what arguments the handler of an operation towards actors is called: an error_code, and the value
// if there is one. A value that cannot be made without one to begin with comes in an optional, which is
// empty only beside an error.

#ifndef SMARM_DETAIL_ASYNC_SIGNATURE_HPP
#define SMARM_DETAIL_ASYNC_SIGNATURE_HPP

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>

#include <optional>
#include <type_traits>
#include <utility>

namespace smarm::detail {

template <class T>
struct async_signature {
  static_assert(std::is_nothrow_move_constructible_v<T>,
                "smarm: what is handed to a completion handler must be movable without exceptions: "
                "put it into a std::unique_ptr");
  using value = std::conditional_t<std::is_default_constructible_v<T>, T, std::optional<T>>;
  using type = void(boost::system::error_code, value);

  template <class Handler>
  static void call(Handler& handler, boost::system::result<T>&& r) {
    if (r.has_value()) {
      std::move(handler)(boost::system::error_code(), value(std::move(*r)));
    } else {
      std::move(handler)(r.error(), value());
    }
  }
};

template <>
struct async_signature<void> {
  using type = void(boost::system::error_code);

  template <class Handler>
  static void call(Handler& handler, boost::system::result<void>&& r) {
    std::move(handler)(r.has_value() ? boost::system::error_code() : r.error());
  }
};

} // namespace smarm::detail

#endif
