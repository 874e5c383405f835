// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/descriptor.hpp>

#include "descriptor_set.hpp"

#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/this_caller.hpp>
#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <new>

namespace smarm {
namespace {

boost::system::error_code last_error() noexcept {
  return {errno, boost::system::system_category()};
}

// What reads errno is not inlined into what waits: after a wait errno may be another thread's, and the
// compiler may remember where it was.
SMARM_NOINLINE boost::system::result<std::size_t> try_read(int fd, void* to,
                                                           std::size_t most) noexcept {
  ssize_t got = 0;
  do {
    got = ::read(fd, to, most);
  } while (got < 0 && errno == EINTR);
  if (got < 0) {
    return last_error();
  }
  return static_cast<std::size_t>(got);
}

SMARM_NOINLINE boost::system::result<std::size_t> try_write(int fd, const void* from,
                                                            std::size_t most) noexcept {
  ssize_t put = 0;
  do {
    put = ::send(fd, from, most, MSG_NOSIGNAL);
    if (put < 0 && errno == ENOTSOCK) {
      put = ::write(fd, from, most);
    }
  } while (put < 0 && errno == EINTR);
  if (put < 0) {
    return last_error();
  }
  return static_cast<std::size_t>(put);
}

// Attempts until it need not wait any more.
template <class Attempt>
boost::system::result<std::size_t> transfer(int fd, detail::io_direction direction,
                                            Attempt attempt) {
  for (;;) {
    detail::stop_point_here();
    const boost::system::result<std::size_t> done = attempt();
    if (done || (done.error().value() != EAGAIN && done.error().value() != EWOULDBLOCK)) {
      return done;
    }
    if (const auto ready = detail::wait_ready(fd, direction, detail::no_deadline); !ready) {
      return ready.error();
    }
  }
}

} // namespace

namespace detail {
namespace {

// With a null limit for as long as it takes. False: the limit has passed.
SMARM_NOINLINE boost::system::result<bool> poll_one(int fd, io_direction direction,
                                                    const timespec* limit) noexcept {
  pollfd one{fd, static_cast<short>(direction == io_direction::in ? POLLIN : POLLOUT), 0};
  const int count = ::ppoll(&one, 1, limit, nullptr);
  if (count < 0) {
    if (errno == EINTR) {
      return false;
    }
    return {boost::system::in_place_error, last_error()};
  }
  if (fd < 0 || (one.revents & POLLNVAL) != 0) {
    return {boost::system::in_place_error, EBADF, boost::system::system_category()};
  }
  return count > 0;
}

boost::system::result<void> wait_as_thread(int fd, io_direction direction, std::int64_t deadline) {
  constexpr std::int64_t second = 1'000'000'000;
  for (;;) {
    const std::int64_t left = deadline == no_deadline ? 0 : deadline - monotonic_now();
    timespec limit{};
    if (left > 0) {
      limit.tv_sec = static_cast<time_t>(left / second);
      limit.tv_nsec = static_cast<long>(left % second);
    }
    const auto ready = poll_one(fd, direction, deadline == no_deadline ? nullptr : &limit);
    if (!ready) {
      return ready.error();
    }
    if (*ready) {
      return {};
    }
    if (deadline != no_deadline && left <= 0) {
      return make_error_code(errc::timed_out);
    }
  }
}

} // namespace

boost::system::result<bool> ready_now(int fd, io_direction direction) noexcept {
  const timespec at_once{};
  return poll_one(fd, direction, &at_once);
}

enrolment descriptor_waiter::enroll(registration who) noexcept {
  who_ = who;
  error_ = {};
  const scheduler* here = current_scheduler();
  if (here == nullptr) {
    error_ = make_error_code(errc::not_in_actor);
    return enrolment::ready;
  }
  try {
    set_ = &descriptors_of(here->runtime);
  } catch (const boost::system::system_error& e) {
    error_ = e.code();
    return enrolment::ready;
  } catch (const std::bad_alloc&) {
    error_ = make_error_code(errc::out_of_memory);
    return enrolment::ready;
  }
  // Enrolled, it may be woken, and its error be written, at any moment.
  const boost::system::error_code refused = set_->enroll(*this);
  if (refused) {
    error_ = refused;
    return enrolment::ready;
  }
  return enrolment::enrolled;
}

bool descriptor_waiter::withdraw() noexcept { return set_->withdraw(*this); }

boost::system::result<void> wait_ready(int fd, io_direction direction, std::int64_t deadline) {
  stop_point_here();
  const auto ready = ready_now(fd, direction);
  if (!ready) {
    return ready.error();
  }
  if (*ready) {
    return {};
  }
  if (current_scheduler() == nullptr) {
    return wait_as_thread(fd, direction, deadline);
  }
  descriptor_waiter source(fd, direction);
  const wait_end end = deadline == no_deadline
                           ? wait_for_source<false>(source, wait_kind::descriptor)
                           : wait_for_source<true>(source, wait_kind::descriptor, deadline);
  switch (end) {
  case wait_end::would_block: return make_error_code(errc::would_block_scheduler);
  case wait_end::timed_out: {
    const auto late = ready_now(fd, direction);
    if (late && *late) {
      return {};
    }
    return make_error_code(errc::timed_out);
  }
  case wait_end::ready: break;
  }
  if (source.error()) {
    return source.error();
  }
  return {};
}

} // namespace detail

boost::system::result<std::size_t> read(int fd, void* to, std::size_t most) {
  return transfer(fd, detail::io_direction::in, [=] { return try_read(fd, to, most); });
}

boost::system::result<std::size_t> write(int fd, const void* from, std::size_t most) {
  return transfer(fd, detail::io_direction::out, [=] { return try_write(fd, from, most); });
}

boost::system::result<void> close(int fd) {
  if (const detail::scheduler* here = detail::current_scheduler()) {
    if (detail::descriptor_set* set = detail::descriptors_if_any(here->runtime)) {
      set->forget(fd);
    }
  }
  if (::close(fd) != 0 && errno != EINTR) { // which has closed it
    return last_error();
  }
  return {};
}

} // namespace smarm
