// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The one sleeper that looks again from time to time while others are busy: for an item left behind
// a long-running actor, and for timers whose keeper went to work. A sleeper learns of neither by a
// wake, because sending one each time would cost more than it is worth.

#ifndef SMARM_DETAIL_STANDBY_HPP
#define SMARM_DETAIL_STANDBY_HPP

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/idle_set.hpp>
#include <smarm/detail/idle_options.hpp>

#include <algorithm>
#include <cstdint>

namespace smarm::detail {

// A part that one sleeper at a time has.
template <class Atomics>
class basic_sleeper_role {
public:
  [[nodiscard]] unsigned holder() const noexcept {
    return holder_.load(std::memory_order_acquire);
  }
  [[nodiscard]] bool take(unsigned from, unsigned id) noexcept {
    return holder_.compare_exchange_strong(from, id, std::memory_order_acq_rel,
                                           std::memory_order_relaxed);
  }
  // Nothing happens if somebody else took the role over meanwhile.
  void give_up(unsigned id) noexcept {
    if (holder() == id) {
      (void)take(id, nobody);
    }
  }

private:
  // Changed by sleepers: taken when free, or from a sleeper that keeps time as well.
  typename Atomics::template atomic<unsigned> holder_{nobody};
};

// When it looks.
class standby_pace {
public:
  explicit standby_pace(const idle_options& options) noexcept : options_(options) {}

  void begin(std::uint64_t departures) noexcept {
    interval_ = options_.standby_first_ns;
    departures_ = departures;
    lingers_ = false;
  }
  [[nodiscard]] std::int64_t sleep(bool all_idle) noexcept {
    lingers_ = all_idle;
    return all_idle ? options_.linger_ns : interval_;
  }
  // After a look that found nothing. False: all have been idle for a whole stretch.
  [[nodiscard]] bool goes_on(bool all_idle, std::uint64_t departures) noexcept {
    const bool quiet = lingers_ && all_idle && departures == departures_;
    departures_ = departures;
    interval_ = std::min(2 * interval_, options_.standby_limit_ns);
    return !quiet;
  }

private:
  const idle_options& options_;
  std::int64_t interval_ = 0;
  std::uint64_t departures_ = 0; // how often anybody had left to be busy, at the last look
  bool lingers_ = false;
};

} // namespace smarm::detail

#endif
