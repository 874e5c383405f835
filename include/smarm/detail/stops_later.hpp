// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// While it lives stops are raised later, if the caller is one who could be stopped at all.

#ifndef SMARM_DETAIL_STOPS_LATER_HPP
#define SMARM_DETAIL_STOPS_LATER_HPP

#include <smarm/this_actor.hpp>

#include <optional>

namespace smarm::detail {

class stops_later {
public:
  stops_later() {
    if (this_actor::is_actor()) {
      masked_.emplace();
    }
  }

private:
  std::optional<disable_stop> masked_;
};

} // namespace smarm::detail

#endif
