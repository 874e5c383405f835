// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// While an actor that was asked to end does what it does last, with stops masked: who insists is heard.

#ifndef SMARM_DETAIL_HEARS_URGENT_STOPS_HPP
#define SMARM_DETAIL_HEARS_URGENT_STOPS_HPP

#include <smarm/detail/slot.hpp>

namespace smarm::detail {

// While it lives an urgent stop is raised, unless something else masks stops than the ending itself.
class hears_urgent_stops {
public:
  explicit hears_urgent_stops(slot& me) noexcept : me_(me) { me_.masks.ending = true; }
  hears_urgent_stops(const hears_urgent_stops&) = delete;
  hears_urgent_stops& operator=(const hears_urgent_stops&) = delete;
  ~hears_urgent_stops() { me_.masks.ending = false; }

private:
  slot& me_;
};

} // namespace smarm::detail

#endif
