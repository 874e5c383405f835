// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Something to wait for that knows nothing but the wait scope: a number of tokens, given by anybody
// and taken by one taker at a time, actor or thread. As a message would, a token given by an actor
// wakes the taker by a wake from actor context.

#ifndef SMARM_TEST_TOKENS_HPP
#define SMARM_TEST_TOKENS_HPP

#include <smarm/detail/wait.hpp>

#include <chrono>
#include <mutex>

namespace smarm_test {

class tokens {
public:
  void give() noexcept {
    smarm::detail::registration waiter;
    {
      const std::lock_guard guard(lock_);
      ++count_;
      waiter = waiter_;
      waiter_ = {};
    }
    if (waiter.who != nullptr) {
      smarm::detail::wake(waiter);
    }
  }

  // A stop point.
  void take() {
    source s{*this};
    (void)smarm::detail::wait_for_source<false>(s, smarm::detail::wait_kind::message);
    consume();
  }

  // The same as a wait that no stop may end.
  void take_deaf() {
    source s{*this};
    (void)smarm::detail::wait_for_source<false, smarm::detail::stoppable::no>(
      s, smarm::detail::wait_kind::lock);
    consume();
  }

  // False: none was given in time.
  template <class Rep, class Period>
  [[nodiscard]] bool take_for(const std::chrono::duration<Rep, Period>& limit) {
    source s{*this};
    if (smarm::detail::wait_for_source<true>(s, smarm::detail::wait_kind::message,
                                             smarm::detail::deadline_after(limit)) !=
        smarm::detail::wait_end::ready) {
      return false;
    }
    consume();
    return true;
  }

  [[nodiscard]] unsigned count() const {
    const std::lock_guard guard(lock_);
    return count_;
  }
  // Whether a taker has left its registration.
  [[nodiscard]] bool awaited() const {
    const std::lock_guard guard(lock_);
    return waiter_.who != nullptr;
  }

private:
  struct source {
    tokens& of;
    smarm::detail::enrolment enroll(const smarm::detail::registration& r) noexcept {
      const std::lock_guard guard(of.lock_);
      if (of.count_ != 0) {
        return smarm::detail::enrolment::ready;
      }
      of.waiter_ = r;
      return smarm::detail::enrolment::enrolled;
    }
    bool satisfied() noexcept {
      const std::lock_guard guard(of.lock_);
      return of.count_ != 0;
    }
    bool withdraw() noexcept {
      const std::lock_guard guard(of.lock_);
      of.waiter_ = {};
      return of.count_ == 0;
    }
  };

  void consume() {
    const std::lock_guard guard(lock_);
    --count_;
  }

  mutable std::mutex lock_; // never held across a wait or a wake
  unsigned count_ = 0;
  smarm::detail::registration waiter_; // of the wait that is open, or of one that has ended
};

} // namespace smarm_test

#endif
