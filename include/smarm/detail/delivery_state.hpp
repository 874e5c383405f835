// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who ends a timer: its fire, a cancel, or the end of its run. Exactly one of them does, and it
// destroys what the timer carries. While a timer has not ended, its wheel exists: whoever took it off
// the wheel has still to come by here, and is a scheduler of the wheel's runtime, or is us.

#ifndef SMARM_DETAIL_DELIVERY_STATE_HPP
#define SMARM_DETAIL_DELIVERY_STATE_HPP

#include <mutex>

namespace smarm::detail {

enum class cancellation : unsigned char {
  none,       // too late: it fires once and does, or has ended
  left_to_it, // it repeats and is firing: that was the last time, and the fire destroys the rest
  ours,       // it was taken off the wheel: the caller destroys the rest
};

// The lock is held while the wheel is asked, so the wheel's lock comes after it.
template <class Lock>
class basic_delivery_state {
public:
  // By who has taken it off the wheel and will not put it back.
  void end() noexcept {
    const std::lock_guard guard(lock_);
    ended_ = true;
  }

  // disarm(): takes it off the wheel, true if it was there.
  template <class Disarm>
  [[nodiscard]] cancellation cancel(bool repeats, Disarm&& disarm) noexcept {
    const std::lock_guard guard(lock_);
    if (ended_) {
      return cancellation::none;
    }
    const bool was_armed = disarm();
    if (!was_armed && !repeats) {
      return cancellation::none;
    }
    ended_ = true;
    return was_armed ? cancellation::ours : cancellation::left_to_it;
  }

  // By the fire of one that repeats. rearm(): puts it back on the wheel; false if the run is over.
  // True: it is another fire's from here on. False: it has ended, and the caller destroys the rest.
  template <class Rearm>
  [[nodiscard]] bool go_on(Rearm&& rearm) noexcept {
    const std::lock_guard guard(lock_);
    if (!ended_ && rearm()) {
      return true;
    }
    ended_ = true;
    return false;
  }

  [[nodiscard]] bool ended() noexcept {
    const std::lock_guard guard(lock_);
    return ended_;
  }

protected: // the model tests derive mutants
  Lock lock_;
  bool ended_ = false; // under the lock
};

} // namespace smarm::detail

#endif
