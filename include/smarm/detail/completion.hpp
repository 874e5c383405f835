// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Something that another thread completes, as a wait source.

#ifndef SMARM_DETAIL_COMPLETION_HPP
#define SMARM_DETAIL_COMPLETION_HPP

#include <smarm/detail/completion_word.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/detail/wake.hpp>

namespace smarm::detail {

class completion {
public:
  explicit completion(slot& waiter) noexcept : waiter_(waiter) {}
  completion(const completion&) = delete;
  completion& operator=(const completion&) = delete;

  // Any thread, once; this may be gone when it returns.
  void complete() noexcept {
    slot& waiter = waiter_;
    const wait_ticket ticket = word_.complete();
    if (ticket != completion_word::nobody_waits) {
      wake({&waiter, ticket});
    }
  }

  [[nodiscard]] bool completed() const noexcept { return word_.completed(); }

  // As a wait source.
  enrolment enroll(registration who) noexcept {
    ticket_ = who.ticket;
    return word_.enroll(who.ticket) ? enrolment::enrolled : enrolment::ready;
  }
  bool satisfied() noexcept { return word_.completed(); }
  bool withdraw() noexcept { return word_.withdraw(ticket_); }

protected:
  [[nodiscard]] slot& waiter() const noexcept { return waiter_; }

private:
  slot& waiter_;
  completion_word word_;
  wait_ticket ticket_ = 0; // of the present wait; the waiter's own
};

} // namespace smarm::detail

#endif
