// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Waiting for file descriptors, for what is no Asio object: a pipe, an eventfd, a signalfd, the socket
// of a C library. The descriptor stays the caller's, and between two calls nobody knows of it. It may be
// registered with Asio as well, or with another runtime.
//
// Ready means that a read or write would not wait: there is data or room, or an error or the end that
// the call will tell of. A file on a disk is always ready. Each direction of a descriptor has one
// waiter at a time in a runtime.
//
// A plain thread is blocked where an actor is suspended.

#ifndef SMARM_DESCRIPTOR_HPP
#define SMARM_DESCRIPTOR_HPP

#include <smarm/detail/descriptor_waiter.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace smarm {

namespace detail {
[[nodiscard]] boost::system::result<void> wait_ready(int fd, io_direction direction,
                                                     std::int64_t deadline);
} // namespace detail

// Waits until the descriptor is readable, that is, has data or room, or is at its end or broken.
// Errors: already_waiting if another actor waits for this direction; closed if smarm::close has closed
// it meanwhile; would_block_scheduler; what the system says, as EBADF. Suspends unless it is ready. A
// stop point, even if it is.
[[nodiscard]] inline boost::system::result<void> wait_readable(int fd) {
  return detail::wait_ready(fd, detail::io_direction::in, detail::no_deadline);
}
[[nodiscard]] inline boost::system::result<void> wait_writable(int fd) {
  return detail::wait_ready(fd, detail::io_direction::out, detail::no_deadline);
}

// The same, no longer than that: errc::timed_out. One that is ready wins over a deadline that has
// passed.
template <class Rep, class Period>
[[nodiscard]] boost::system::result<void>
wait_readable_for(int fd, const std::chrono::duration<Rep, Period>& limit) {
  return detail::wait_ready(fd, detail::io_direction::in, detail::deadline_after(limit));
}
template <class Rep, class Period>
[[nodiscard]] boost::system::result<void>
wait_writable_for(int fd, const std::chrono::duration<Rep, Period>& limit) {
  return detail::wait_ready(fd, detail::io_direction::out, detail::deadline_after(limit));
}

// Reads up to so many bytes, as ::read does, and waits while there are none: 0 at the end. The
// descriptor should be non-blocking (O_NONBLOCK): one that is not blocks the scheduler instead. Errors,
// suspension and stop points as wait_readable's.
[[nodiscard]] boost::system::result<std::size_t> read(int fd, void* to, std::size_t most);

// Writes up to so many bytes, as ::write does, and waits while there is no room for any: returns how
// many were written, which may be less. On a socket whose peer is gone the error is EPIPE, without a
// signal; on a pipe SIGPIPE comes as with ::write. Otherwise as read.
[[nodiscard]] boost::system::result<std::size_t> write(int fd, const void* from, std::size_t most);

// Closes the descriptor. Actors of the caller's runtime that wait for it go on first, with
// errc::closed; ::close would leave them waiting for what may be another file by then. Errors: what the
// system says. Neither suspends nor is a stop point.
boost::system::result<void> close(int fd);

} // namespace smarm

#endif
