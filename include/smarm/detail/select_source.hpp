// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Several things to wait for as one wait source: the protocol of select. All arms are registered
// with under one ticket, so that one waker wins, and none stays registered with, whatever ended the
// wait. A template so that the model test runs it over arms of its own.
//
// What an Arm answers, without consuming anything:
//   ready()     taking from it would not wait
//   settled()   the same, and sees what is on its way already
//   enroll(r)   as of a wait source; of an arm that left a gap, always enrolled
//   withdraw()  as of a wait source, of an arm that was enrolled; of a gap, always true

#ifndef SMARM_DETAIL_SELECT_SOURCE_HPP
#define SMARM_DETAIL_SELECT_SOURCE_HPP

#include <smarm/detail/wait.hpp>

#include <cstddef>
#include <span>

namespace smarm::detail {

inline constexpr std::size_t no_arm = ~std::size_t{0};

template <class Arm, class Registration>
class select_source {
public:
  explicit select_source(std::span<const Arm> arms) noexcept : arms_(arms) {}

  // ---- looking: the first arm that is ready, from `first` on and around, or no_arm

  [[nodiscard]] std::size_t ready_arm(std::size_t first) const noexcept {
    return find(first, [](const Arm& one) noexcept { return one.ready(); });
  }
  [[nodiscard]] std::size_t settled_arm(std::size_t first) const noexcept {
    return find(first, [](const Arm& one) noexcept { return one.settled(); });
  }

  // ---- waiting, as a wait source

  enrolment enroll(const Registration& who) noexcept {
    refused_ = false;
    for (; enrolled_ < arms_.size(); ++enrolled_) {
      const enrolment got = arms_[enrolled_].enroll(who);
      if (got != enrolment::enrolled) {
        refused_ = true;
        // A waker that has taken an earlier arm's registration ends the next wait unless this one
        // is retired.
        const bool alone = withdraw_all();
        return alone && got == enrolment::ready ? enrolment::ready : enrolment::overtaken;
      }
    }
    return enrolment::enrolled;
  }

  // The losers are withdrawn before anything else happens, whatever ended the wait. An arm that had
  // been taken by its waker is ready, or will be in a moment.
  bool satisfied() noexcept { return !withdraw_all() || ready_arm(0) != no_arm; }

  static bool withdraw() noexcept { return true; } // satisfied() did

  // An arm did not take the registration, lastly. If none is ready then, it was not its to have.
  [[nodiscard]] bool refused() const noexcept { return refused_; }

protected: // the model test derives its mutations
  // False: a waker had taken an arm's registration.
  bool withdraw_all() noexcept {
    bool alone = true;
    while (enrolled_ > 0) {
      if (!arms_[--enrolled_].withdraw()) {
        alone = false;
      }
    }
    return alone;
  }

  std::span<const Arm> arms_;
  std::size_t enrolled_ = 0; // so many of the first arms have the registration
  bool refused_ = false;

private:
  template <class Is>
  [[nodiscard]] std::size_t find(std::size_t first, Is is) const noexcept {
    for (std::size_t n = 0; n < arms_.size(); ++n) {
      const std::size_t i = first + n < arms_.size() ? first + n : first + n - arms_.size();
      if (is(arms_[i])) {
        return i;
      }
    }
    return no_arm;
  }
};

struct selection {
  std::size_t which = no_arm;
  wait_end end = wait_end::ready; // if that is no_arm: why. ready: an arm refused
};

// The first arm that is ready, from `first` on and around. While there is none, calls wait(source),
// which is wait_for_source.
template <class Source, class Wait>
[[nodiscard]] selection select_from_source(Source& source, std::size_t first, Wait wait) {
  std::size_t which = source.ready_arm(first);
  while (which == no_arm) {
    const wait_end end = wait(source);
    // Also after a deadline: an arm that is ready wins. And a waker that has ended the wait may
    // still be about to show what it brought.
    which = source.settled_arm(first);
    if (which == no_arm && (end != wait_end::ready || source.refused())) {
      return {no_arm, end};
    }
  }
  return {which, wait_end::ready};
}

} // namespace smarm::detail

#endif
