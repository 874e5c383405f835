// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The Asio executor of a runtime: what sockets, timers and all other I/O objects of its actors are made
// with.
//
//     boost::asio::ip::tcp::socket socket(smarm::this_actor::get_executor());
//
// Behind it is an io_context that the runtime's schedulers run, one at a time, while they have nothing
// else to do and in between while they are busy. A handler runs in scheduler context: it may send, cast
// and spawn, but nothing in it may wait. What it throws is reported as report_kind::callback_failed.
//
// I/O objects and handlers may be made before the run; nothing happens in them unless it runs. They
// keep neither the run nor the runtime alive: an operation that no actor awaits is there after the run
// for the next one, and the runtime's end destroys its handler. An I/O object must not outlive its
// runtime.

#ifndef SMARM_EXECUTOR_HPP
#define SMARM_EXECUTOR_HPP

#include <smarm/detail/asio_choices.hpp>
#include <smarm/runtime.hpp>

#include <boost/asio/io_context.hpp>

namespace smarm {

using executor = boost::asio::io_context::executor_type;

// The executor of a runtime, for who is outside of it. Makes the io_context at the first call. Throws
// boost::system::system_error: runtime_down if the runtime is gone; what the system says if it has no
// descriptors left. Neither suspends nor is a stop point.
[[nodiscard]] executor get_executor(const runtime_handle& of);
[[nodiscard]] inline executor get_executor(const runtime& of) { return get_executor(of.handle()); }

namespace this_actor {
// The executor of the caller's runtime; also in scheduler context, as in an Asio handler. Throws
// boost::system::system_error: not_in_actor on a plain thread; what the system says if it has no
// descriptors left. Neither suspends nor is a stop point.
[[nodiscard]] executor get_executor();
} // namespace this_actor

} // namespace smarm

#endif
