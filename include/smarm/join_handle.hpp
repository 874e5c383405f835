// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What spawn returns: the right to learn how an actor ended.

#ifndef SMARM_JOIN_HANDLE_HPP
#define SMARM_JOIN_HANDLE_HPP

#include <smarm/exit_reason.hpp>
#include <smarm/pid.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <cstdint>
#include <utility>

namespace smarm {

namespace detail {
struct slot;
} // namespace detail

// How an actor ended: what join returns.
using exit_status = exit_reason;

// Owns nothing of the actor but its outcome: if the handle goes, the actor runs on. As long as the
// handle is kept the ended actor's slot is not used again. May outlive the runtime. Not thread-safe:
// one thread or actor at a time.
class join_handle {
public:
  // Refers to no actor.
  join_handle() noexcept = default;
  join_handle(join_handle&& other) noexcept
      : slot_(std::exchange(other.slot_, nullptr)), id_(other.id_) {}
  join_handle& operator=(join_handle&& other) noexcept {
    join_handle(std::move(other)).swap(*this);
    return *this;
  }
  ~join_handle() {
    if (slot_ != nullptr) {
      detach();
    }
  }

  void swap(join_handle& other) noexcept {
    std::swap(slot_, other.slot_);
    std::swap(id_, other.id_);
  }

  // The actor's pid, also after join.
  [[nodiscard]] pid id() const noexcept { return id_; }

  // True until join, a successful timed join, or detach.
  [[nodiscard]] bool joinable() const noexcept { return slot_ != nullptr; }

  // Waits until the actor has ended and returns how. From an actor it suspends the actor only and is
  // a stop point; a stop leaves the handle joinable. From a plain thread it blocks the thread.
  // Throws boost::system::system_error: no_process if not joinable, would_deadlock from the actor
  // itself, would_block_scheduler in scheduler context if the actor has not ended.
  exit_status join();

  // The same with a limit: errc::timed_out if the actor has not ended by then, and the handle stays
  // joinable. In scheduler context would_block_scheduler is returned, not thrown.
  template <class Rep, class Period>
  [[nodiscard]] boost::system::result<exit_status>
  join_for(const std::chrono::duration<Rep, Period>& limit);
  template <class Duration>
  [[nodiscard]] boost::system::result<exit_status>
  join_until(const std::chrono::time_point<std::chrono::steady_clock, Duration>& deadline);

  // Gives up the outcome. Neither suspends nor is a stop point.
  void detach() noexcept;

private:
  friend struct handle_access;
  join_handle(detail::slot& s, pid id) noexcept : slot_(&s), id_(id) {}

  [[nodiscard]] boost::system::result<exit_status> join_before(std::int64_t deadline);
  exit_status join_slowly();
  exit_status take_outcome() noexcept;

  detail::slot* slot_ = nullptr;
  pid id_;
};

} // namespace smarm

#include <smarm/impl/join_handle.hpp>

#endif
