// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The choices of a program that change what Asio's inlined code and the compiled library share, as
// build_choices.hpp has them for the library's own. A program that made others than its library does
// not link, and the symbol that the linker misses says which.

#ifndef SMARM_DETAIL_ASIO_CHOICES_HPP
#define SMARM_DETAIL_ASIO_CHOICES_HPP

#include <boost/asio/detail/config.hpp>
#include <boost/version.hpp>

#include <type_traits>

namespace smarm::detail {

struct handler_tracking_on;
struct handler_tracking_off;
struct backend_io_uring;
struct backend_epoll;
struct backend_select;

template <int BoostVersion, class Tracking, class Backend>
struct asio_built_with {
  static void here() noexcept;
};

using these_asio_choices = asio_built_with<BOOST_VERSION,
#if defined(BOOST_ASIO_ENABLE_HANDLER_TRACKING)
                                           handler_tracking_on,
#else
                                           handler_tracking_off,
#endif
#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
                                           backend_io_uring
#elif defined(BOOST_ASIO_HAS_EPOLL)
                                           backend_epoll
#else
                                           backend_select
#endif
                                           >;

// Every program that includes this refers to the library's symbol.
[[gnu::used]] inline void (*const asio_choices)() noexcept = &these_asio_choices::here;

} // namespace smarm::detail

#endif
