// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// When a tick comes next.

#ifndef SMARM_DETAIL_TICK_SCHEDULE_HPP
#define SMARM_DETAIL_TICK_SCHEDULE_HPP

#include <smarm/detail/deadline.hpp>
#include <smarm/missed_tick.hpp>

#include <cstdint>

namespace smarm::detail {

// In nanoseconds; everything saturates at no_deadline, which never comes.
struct tick_schedule {
  std::int64_t due;    // when the present tick is to come
  std::int64_t period; // at least one
  missed_tick policy;

  // The present tick was fired at `now`: on to the next one.
  constexpr void advance(std::int64_t now) noexcept {
    switch (policy) {
    case missed_tick::burst: due = later(due, period); break;
    case missed_tick::delay: due = later(now, period); break;
    case missed_tick::skip:
      // The first multiple of the period that lies ahead.
      due = later(now <= due ? due : now - (now - due) % period, period);
      break;
    }
  }

private:
  [[nodiscard]] static constexpr std::int64_t later(std::int64_t from, std::int64_t by) noexcept {
    return by >= no_deadline - from ? no_deadline : from + by;
  }
};

} // namespace smarm::detail

#endif
