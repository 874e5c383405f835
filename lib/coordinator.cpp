// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The coordinator's slow paths, compiled once; idle() is compiled where its source is known.

#include <smarm/detail/coordinator.hpp>

#include <thread>

namespace smarm::detail {

idle_options idle_options::for_this_machine() noexcept {
  idle_options options;
  if (std::thread::hardware_concurrency() == 1) {
    options.spin_ns = 0;
  }
  return options;
}

template class basic_coordinator<std_atomics, linux_futex>;

} // namespace smarm::detail
