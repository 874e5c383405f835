// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One of several things that a select waits for, whatever its type: where it is and what can be
// done with it. What can be an arm has a specialization of select_arm_maker.

#ifndef SMARM_DETAIL_SELECT_ARM_HPP
#define SMARM_DETAIL_SELECT_ARM_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/receive_source.hpp>
#include <smarm/detail/wait.hpp>

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace smarm::detail {

struct select_arm_operations {
  // Taking from it would not wait.
  bool (*ready)(void* arm) noexcept;
  // The same, and sees what is on its way already.
  bool (*settled)(void* arm) noexcept;
  // As of a wait source, and none of them consumes anything.
  enrolment (*enroll)(void* arm, registration who) noexcept;
  bool (*withdraw)(void* arm) noexcept;
  // Why it did not take a registration, if that can be anything but that somebody else waits for it;
  // null: it cannot.
  boost::system::error_code (*refusal)(void* arm) noexcept = nullptr;
};

struct select_arm {
  void* arm = nullptr; // null: a gap, never ready, and waiting for it is waiting for the others
  const select_arm_operations* does = nullptr;

  // As select_source wants them.
  [[nodiscard]] bool ready() const noexcept { return arm != nullptr && does->ready(arm); }
  [[nodiscard]] bool settled() const noexcept { return arm != nullptr && does->settled(arm); }
  [[nodiscard]] enrolment enroll(registration who) const noexcept {
    return arm == nullptr ? enrolment::enrolled : does->enroll(arm, who);
  }
  [[nodiscard]] bool withdraw() const noexcept { return arm == nullptr || does->withdraw(arm); }
};

template <class T>
struct receive_arm {
  [[nodiscard]] static channel_core<T>* core(void* arm) noexcept {
    return channel_access::core(*static_cast<const receiver<T>*>(arm));
  }
  static bool ready(void* arm) noexcept {
    channel_core<T>* c = core(arm);
    return c == nullptr || c->ready();
  }
  static bool settled(void* arm) noexcept {
    channel_core<T>* c = core(arm);
    return c == nullptr || c->closed() || c->await();
  }
  static enrolment enroll(void* arm, registration who) noexcept {
    channel_core<T>* c = core(arm);
    return c == nullptr ? enrolment::ready : receive_source<T>{*c}.enroll(who);
  }
  static bool withdraw(void* arm) noexcept { return receive_source<T>{*core(arm)}.withdraw(); }

  static constexpr select_arm_operations operations{&ready, &settled, &enroll, &withdraw};
};

template <class Arm>
struct select_arm_maker;

template <class T>
struct select_arm_maker<receiver<T>> {
  [[nodiscard]] static select_arm make(receiver<T>& r) noexcept {
    return {&r, &receive_arm<T>::operations};
  }
};

template <class Arm>
[[nodiscard]] select_arm arm_of(Arm& arm) noexcept {
  return select_arm_maker<Arm>::make(arm);
}

template <class Arm>
concept selectable = requires(std::remove_reference_t<Arm>& arm) {
  { select_arm_maker<std::remove_reference_t<Arm>>::make(arm) } noexcept;
};

// Where the search for a ready arm begins.
enum class select_from : std::uint8_t {
  front,
  turn // elsewhere each time, see select.cpp
};

// The index at which a search among so many arms begins.
[[nodiscard]] std::size_t first_of(std::size_t arms, select_from start) noexcept;

// Waits until an arm is ready, or until the deadline if there is one. The index of the first ready
// arm, from `first` on and around; errc::timed_out, would_block_scheduler. Throws system_error(already_waiting) if an arm cannot
// be registered with: it is there twice, or another actor waits for it.
[[nodiscard]] boost::system::result<std::size_t>
select_arms(std::span<const select_arm> arms, std::size_t first, bool timed = false,
            std::int64_t deadline = no_deadline);
[[nodiscard]] inline boost::system::result<std::size_t>
select_arms(std::span<const select_arm> arms, select_from start, bool timed = false,
            std::int64_t deadline = no_deadline) {
  return select_arms(arms, first_of(arms.size(), start), timed, deadline);
}

// The same without waiting: errc::empty.
[[nodiscard]] boost::system::result<std::size_t>
try_select_arms(std::span<const select_arm> arms, std::size_t first) noexcept;

// The value, or the error as an exception.
[[nodiscard]] std::size_t selected(const boost::system::result<std::size_t>& which);

} // namespace smarm::detail

#endif
