// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who waits for one direction of one file descriptor, as a wait source. It lies in the frame of who
// waits, and a set of descriptors refers to it for as long as it is enrolled.

#ifndef SMARM_DETAIL_DESCRIPTOR_WAITER_HPP
#define SMARM_DETAIL_DESCRIPTOR_WAITER_HPP

#include <smarm/detail/wait.hpp>
#include <smarm/detail/wake.hpp>

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>

#include <atomic>
#include <cstdint>

namespace smarm::detail {

class descriptor_set;

enum class io_direction : std::uint8_t { in, out };

// Whether that direction is ready at this moment: a read or write would not wait, be it that it would
// fail. An error if there is no such descriptor.
[[nodiscard]] boost::system::result<bool> ready_now(int fd, io_direction direction) noexcept;

class descriptor_waiter {
public:
  descriptor_waiter(int fd, io_direction direction) noexcept : fd_(fd), direction_(direction) {}
  descriptor_waiter(const descriptor_waiter&) = delete;
  descriptor_waiter& operator=(const descriptor_waiter&) = delete;

  [[nodiscard]] int descriptor() const noexcept { return fd_; }
  [[nodiscard]] io_direction direction() const noexcept { return direction_; }

  // As a wait source. What it cannot be enrolled for is in error() then.
  enrolment enroll(registration who) noexcept;
  bool satisfied() noexcept { return !enrolled_.load(std::memory_order_acquire); }
  bool withdraw() noexcept;

  // Why there is nothing to wait for, if that is not that it is ready: already_waiting, closed, what
  // the system says.
  [[nodiscard]] boost::system::error_code error() const noexcept { return error_; }

private:
  friend class descriptor_set;
  friend struct descriptor_set_access; // of a test

  const int fd_;
  const io_direction direction_;
  registration who_;
  descriptor_set* set_ = nullptr;
  // Written by the waiter when it is enrolled, and under the set's lock when it is taken out; release
  // then, since the waiter reads the error without the lock (acquire).
  std::atomic<bool> enrolled_{false};
  boost::system::error_code error_;
};

} // namespace smarm::detail

#endif
