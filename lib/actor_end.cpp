// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How an actor ends: what it is said to have ended as, who hears of it, and who is asked to follow.

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/stop.hpp>

#include <string>
#include <utility>

namespace smarm::detail {
namespace {

constexpr pid unpacked(std::uint64_t v) noexcept {
  return {static_cast<std::uint32_t>(v >> 32), static_cast<std::uint32_t>(v)};
}

} // namespace

void raise_stop(slot& me) {
  me.masks.stop_raised = true;
  throw stop_unwind();
}

void runtime_state::end_actor(slot& me, exit_reason reason) noexcept {
  ++me.masks.stops; // whatever runs from here on is not to be stopped
  destroy_locals(me);
  if (me.masks.stop_raised) {
    const bool stopped = me.stop.requested(stop_flag::stop);
    if (reason.kind() != exit_kind::failed) {
      reason = exit_reason(stopped ? exit_kind::stopped : exit_kind::shutdown);
    }
  }
  const pid who = me.id();
  const actor_record* record = me.record.load(std::memory_order_acquire);
  if (!reason.is_clean()) {
    // An actor that failed for want of memory leaves none to tell of it.
    tell_made([&] {
      return report{.kind = reason.kind() == exit_kind::failed ? report_kind::actor_failed
                                                               : report_kind::actor_stopped,
                    .actor = who,
                    .parent = unpacked(me.parent.load(std::memory_order_relaxed)),
                    .label = record != nullptr ? record->label : std::string(),
                    .reason = reason,
                    .text = reason.text(),
                    .details = record != nullptr ? record->details : std::string()};
    });
  }
  if (me.record.load(std::memory_order_acquire) != nullptr) {
    (void)me.join.attend(); // bury sees to the rest
    close_attendance(me);
    destroy_locals(me); // which the sink of the report may have made
  }
  me.pinned_to = not_pinned;
  me.outcome = std::move(reason);
  bury(*current_scheduler(), me);
}

void runtime_state::note_death(bool was_root) noexcept {
  if (was_root) {
    root_end_.announce();
    sweep();
  } else if (root_end_.want_sweep()) {
    coordination.verdict_changed(); // this thread may be busy for long, and the others asleep
  }
}

void runtime_state::sweep() noexcept {
  root_end_.sweep(slots, [this](std::uint32_t index, std::uint32_t generation, slot&) {
    (void)shut_down(*this, pid(index, generation), pid::root(), shutdown_asked::by_sweep);
  });
}

} // namespace smarm::detail
