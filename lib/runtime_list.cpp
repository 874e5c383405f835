// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/runtime_list.hpp>

#include <smarm/detail/runtime_state.hpp>

namespace smarm::detail {

constinit runtime_state* all_runtimes = nullptr;
constinit std::mutex all_runtimes_lock;

namespace {
std::uint64_t numbered = 0; // under the lock
}

void enter_runtime_list(runtime_state& fresh) noexcept {
  const std::lock_guard guard(all_runtimes_lock);
  fresh.number_in_process = ++numbered;
  fresh.next_in_process = all_runtimes;
  all_runtimes = &fresh;
}

void leave_runtime_list(runtime_state& gone) noexcept {
  const std::lock_guard guard(all_runtimes_lock);
  runtime_state** link = &all_runtimes;
  while (*link != nullptr && *link != &gone) {
    link = &(*link)->next_in_process;
  }
  if (*link != nullptr) {
    *link = gone.next_in_process;
  }
}

} // namespace smarm::detail
