// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Locking a mutex that is not free. Only here, where time is spent anyway, is the owner looked at: an
// owner that has ended is found out, and who waits leaves word whom it began to wait for.

#include <smarm/mutex.hpp>

#include <smarm/detail/slot.hpp>
#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

#include <atomic>

namespace smarm {
namespace {

// An actor's life as the mutex's word cannot name it: by its slot, which others use later.
bool has_ended(const detail::mutex_core& core, std::uintptr_t owner,
               const detail::slot_snapshot& then) {
  // What it unlocked it did before its end, which the snapshot acquired. So if it still has the
  // mutex, it has it for ever; unless a later actor of the same slot has, which shows in the word.
  const bool holds = core.owner() == owner;
  std::atomic_thread_fence(std::memory_order_acquire);
  const auto& slot = *reinterpret_cast<const detail::slot*>(owner);
  return holds && slot.word.snapshot().generation == then.generation &&
         slot.word.status(then.generation) != detail::slot_status::live;
}

void look_at_owner(const mutex& m, const detail::mutex_core& core) {
  if (detail::mutex_access::held_by_caller(m)) {
    throw boost::system::system_error(make_error_code(errc::would_deadlock), "smarm::mutex");
  }
  const std::uintptr_t owner = core.owner();
  std::uint64_t holder = 0;
  if (owner != 0) {
    const auto& slot = *reinterpret_cast<const detail::slot*>(owner);
    if (slot.runtime.load() != nullptr) { // or it is a plain thread
      const detail::slot_snapshot now = slot.word.snapshot();
      if (slot.word.status(now.generation) != detail::slot_status::live &&
          has_ended(core, owner, now)) {
        throw boost::system::system_error(make_error_code(errc::owner_ended), "smarm::mutex");
      }
      holder = std::uint64_t{slot.index} << 32 | now.generation;
    }
  }
  detail::this_caller().waits_on.store(holder, std::memory_order_release);
}

} // namespace

SMARM_NOINLINE void mutex::lock_slowly() {
  look_at_owner(*this, core_);
  detail::mutex_wait wait(core_);
  if (detail::wait_for_source<false, detail::stoppable::no>(wait, detail::wait_kind::lock) ==
      detail::wait_end::would_block) {
    detail::throw_would_block("mutex::lock");
  }
}

bool mutex::lock_before(std::int64_t deadline) {
  look_at_owner(*this, core_);
  if (deadline <= detail::monotonic_now()) {
    return false;
  }
  detail::mutex_wait wait(core_);
  switch (detail::wait_for_source<true>(wait, detail::wait_kind::lock, deadline)) {
  case detail::wait_end::ready: return true;
  case detail::wait_end::timed_out: return false;
  case detail::wait_end::would_block: break;
  }
  detail::throw_would_block("timed_mutex::try_lock_until");
}

} // namespace smarm
