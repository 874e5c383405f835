// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "forked_child.hpp"

#include <smarm/detail/config.hpp>
#include <smarm/detail/scheduler.hpp>
#include <smarm/detail/this_scheduler.hpp>

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string_view>

namespace smarm::detail {
namespace {

// Written in the child, which has one thread then.
std::atomic<bool> forked{false};

// Where a scheduler forks, it is made to look around at its next switch. A thread of a blocking pool does
// so after each call.
extern "C" void smarm_in_forked_child() {
  if (scheduler* here = current_scheduler()) {
    forked.store(true, std::memory_order_relaxed);
    here->checks = 1;
  } else if (on_blocking_thread()) {
    forked.store(true, std::memory_order_relaxed);
  }
}

} // namespace

void watch_for_forks() noexcept {
  static const int failed = ::pthread_atfork(nullptr, nullptr, &smarm_in_forked_child);
  (void)failed; // for want of memory: it is a diagnosis, and no more
}

void end_forked_child() noexcept {
  if (SMARM_LIKELY(!forked.load(std::memory_order_relaxed))) {
    return;
  }
  constexpr std::string_view text =
      "smarm: an actor or a blocking call has forked, and the child went on into the runtime, which is "
      "its parent's: after a fork call exec or _exit, or use posix_spawn\n";
  (void)!::write(STDERR_FILENO, text.data(), text.size());
  std::abort();
}

} // namespace smarm::detail
