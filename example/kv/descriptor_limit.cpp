// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "descriptor_limit.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace kv {

std::size_t make_room_for_connections(std::size_t wanted) noexcept {
  constexpr rlim_t others = 100; // logs, the port, what the runtime has
  rlimit now{};
  if (::getrlimit(RLIMIT_NOFILE, &now) != 0) {
    return wanted;
  }
  const rlim_t all = static_cast<rlim_t>(wanted) + others;
  if (now.rlim_cur != RLIM_INFINITY && now.rlim_cur < all) {
    rlimit more = now;
    more.rlim_cur = now.rlim_max == RLIM_INFINITY ? all : std::min(all, now.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &more) == 0) {
      now = more;
    }
  }
  return now.rlim_cur == RLIM_INFINITY || now.rlim_cur >= all ? wanted
         : now.rlim_cur > others                              ? now.rlim_cur - others
                                                              : 1;
}

} // namespace kv
