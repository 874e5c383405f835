// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A file descriptor as an arm of a select, beside channels:
//
//     switch (smarm::select(commands, smarm::readable(fd))) { ... }
//
// The select takes nothing from it; see descriptor.hpp for what ready means. A descriptor that is bad is
// ready: the read will say so. What else it cannot be waited for the select throws as
// boost::system::system_error, as already_waiting if another actor waits for the same direction. For
// actors only.

#ifndef SMARM_DESCRIPTOR_ARM_HPP
#define SMARM_DESCRIPTOR_ARM_HPP

#include <smarm/detail/descriptor_waiter.hpp>
#include <smarm/detail/select_arm.hpp>

namespace smarm {

// Made by readable and writable. Stays where it is while a select or a selector refers to it.
class descriptor_arm {
public:
  descriptor_arm(int fd, detail::io_direction direction) noexcept : waiter_(fd, direction) {}

private:
  friend struct detail::select_arm_maker<descriptor_arm>;
  detail::descriptor_waiter waiter_;
};

// Neither suspends nor is a stop point.
[[nodiscard]] inline descriptor_arm readable(int fd) noexcept {
  return {fd, detail::io_direction::in};
}
[[nodiscard]] inline descriptor_arm writable(int fd) noexcept {
  return {fd, detail::io_direction::out};
}

namespace detail {

template <>
struct select_arm_maker<descriptor_arm> {
  [[nodiscard]] static select_arm make(descriptor_arm& arm) noexcept {
    return {&arm.waiter_, &operations};
  }

private:
  [[nodiscard]] static descriptor_waiter& of(void* arm) noexcept {
    return *static_cast<descriptor_waiter*>(arm);
  }
  static bool ready(void* arm) noexcept {
    const auto now = ready_now(of(arm).descriptor(), of(arm).direction());
    return !now || *now;
  }
  static enrolment enroll(void* arm, registration who) noexcept { return of(arm).enroll(who); }
  static bool withdraw(void* arm) noexcept { return of(arm).withdraw(); }
  static boost::system::error_code refusal(void* arm) noexcept { return of(arm).error(); }

  static constexpr select_arm_operations operations{&ready, &ready, &enroll, &withdraw, &refusal};
};

} // namespace detail

} // namespace smarm

#endif
