// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/scheduler_count.hpp>

#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/scheduler.hpp>

#include <algorithm>
#include <thread>

namespace smarm::detail {

unsigned scheduler_count() noexcept {
  if (const scheduler* const here = current_scheduler()) {
    return here->runtime.settings.schedulers;
  }
  return std::clamp(std::thread::hardware_concurrency(), 1U, 64U);
}

} // namespace smarm::detail
