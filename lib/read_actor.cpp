// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/read_actor.hpp>

#include <smarm/detail/attend.hpp>
#include <smarm/detail/coarse_clock.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/server_core.hpp>
#include <smarm/detail/server_loop.hpp>
#include <smarm/detail/stack.hpp>
#include <smarm/detail/stack_account.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>

namespace smarm::detail {
namespace {

// Of an actor that keeps waking and waiting, after so many attempts it is said that it is ready.
constexpr unsigned most_attempts = 8;
// So many names of one actor are copied under its lock.
constexpr std::size_t most_names = 32;

constexpr pid unpacked(std::uint64_t v) noexcept {
  return {static_cast<std::uint32_t>(v >> 32), static_cast<std::uint32_t>(v)};
}

bool same(const slot_snapshot& a, const slot_snapshot& b) noexcept {
  return a.generation == b.generation && a.epoch == b.epoch && a.state == b.state;
}

std::chrono::steady_clock::time_point as_time(std::int64_t monotonic) noexcept {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(monotonic));
}

// `raw` was found in the slot of one that waits, and waits still when this is over if it is to be used.
pid waited_on(const runtime_state& runtime, wait_kind kind, std::uint64_t raw) noexcept {
  if (raw == 0) {
    return pid::none();
  }
  switch (kind) {
  case wait_kind::lock: return unpacked(raw);
  case wait_kind::join:
  case wait_kind::reply:
  case wait_kind::room: {
    // Slots are never unmapped, so it may be followed whatever has become of it.
    const slot& other = *reinterpret_cast<const slot*>(static_cast<std::uintptr_t>(raw));
    return other.runtime == &runtime ? other.id() : pid::none();
  }
  default: return pid::none();
  }
}

const scheduler* runner_of(const runtime_state& runtime, const slot& s) noexcept {
  for (const auto& candidate : runtime.schedulers) {
    if (candidate->current == &s) {
      return candidate.get();
    }
  }
  return nullptr;
}

// Under the record lock, of its live actor.
void read_record(slot& s, actor_info& out) {
  if (actor_record* const record = s.record.load(std::memory_order_acquire)) {
    out.label = record->label;
    out.supervised = record->supervised;
    out.restarts = record->restarts;
    if (out.stack_size != 0 && record->own_stack_size != 0) {
      out.stack_size = record->own_stack_size;
    }
    if (const relations* const known = relations_in(*record)) {
      for (const name_entry& name : known->names) {
        if (out.names.size() == most_names) {
          break;
        }
        out.names.push_back(name.text);
      }
      out.monitors = known->monitors.size();
      out.links = known->links.size();
      out.trap_exit = !known->trap.closed();
      out.abandoned = known->abandoned;
      for (const published_inbox& inbox : known->inboxes) {
        out.inbox_depth += inbox.queued();
      }
    }
  }
  if (void* const behaviour = s.behaviour.load(std::memory_order_acquire)) {
    const server_type& type = type_of_resident(s);
    out.behaviour = type.kind;
    out.type = type.type;
    out.inbox_depth += static_cast<const server_core*>(behaviour)->queued();
  }
}

void read_state(const runtime_state& runtime, const slot& s, const seen_wait& seen,
                std::int64_t now, actor_info& out) noexcept {
  out.stack_used = seen.stack_used;
  if (is_parked(seen.word.state)) {
    out.state = seen.has_stack ? actor_state::parked : actor_state::idle;
    out.waits_for = seen.kind;
    out.waits_on = seen.on;
    out.since = as_time(time_of_tick(seen.since, now));
    out.stoppable = seen.word.state == slot_state::parked;
    return;
  }
  out.state = actor_state::queued;
  if (seen.word.state == slot_state::running || seen.word.state == slot_state::notified) {
    // A word that says running may be that of an actor that has yielded, and is queued.
    if (const scheduler* const runner = runner_of(runtime, s)) {
      out.state = seen.word.state == slot_state::running ? actor_state::running
                                                         : actor_state::notified;
      out.scheduler = runner->id;
      out.since = as_time(runner->coarse_now);
    }
  }
}

} // namespace

// Who is held goes through the same wait before and after, so that the word is the same only if it was held
// all the time, or is again.
slot_snapshot word_of(const slot& s) noexcept {
  slot_snapshot word = s.word.snapshot();
  if (word.state == slot_state::running) {
    const slot_state held = s.held_as.load(std::memory_order_acquire);
    if (is_parked(held) && same(s.word.snapshot(), word)) {
      word.state = held;
    }
  }
  return word;
}

seen_wait see_wait(const runtime_state& runtime, const slot& s) noexcept {
  seen_wait seen;
  seen.word = word_of(s);
  for (unsigned attempt = 0; is_parked(seen.word.state); ++attempt) {
    seen.kind = s.waits_for.load(std::memory_order_acquire);
    seen.since = s.waiting_since.load(std::memory_order_acquire);
    const std::uint64_t raw = s.waits_on.load(std::memory_order_acquire);
    const std::byte* const top = stack::top_of(s.stack);
    const auto* const saved = static_cast<const std::byte*>(s.context.load());
    // Before the last two change, the word does: the second reading of it comes after them.
    std::atomic_thread_fence(std::memory_order_acquire);
    slot_snapshot now = word_of(s);
    if (same(now, seen.word)) {
      seen.on = waited_on(runtime, seen.kind, raw);
      now = word_of(s);
    }
    if (same(now, seen.word)) {
      seen.has_stack = top != nullptr;
      seen.stack_used =
          top != nullptr && saved != nullptr ? static_cast<std::size_t>(top - saved) : 0;
      return seen;
    }
    if (attempt == most_attempts && is_parked(now.state)) {
      now.state = slot_state::queued;
    }
    seen = {};
    seen.word = now;
  }
  return seen;
}

bool read_actor(runtime_state& runtime, slot& s, std::int64_t now, actor_info& out) {
  const seen_wait seen = see_wait(runtime, s);
  const std::uint32_t generation = seen.word.generation;
  // A place may be held by a handle of a runtime that had it before and is gone.
  if (seen.word.state == slot_state::vacant || s.runtime.load() != &runtime) {
    return false;
  }
  out.actor = pid(s.index, generation);
  if (seen.word.state != slot_state::done) {
    read_state(runtime, s, seen, now, out);
    out.parent = unpacked(s.parent.load(std::memory_order_acquire));
    out.asked_to_end = s.stop.asked(generation);
    out.joiners = s.join.waited_for_now() ? 1 : 0;
    out.messages_received = s.messages_received.load(std::memory_order_acquire);
    out.overruns = s.overruns.load(std::memory_order_acquire);
#if SMARM_BUDGET
    out.budget_cycles = s.budget_cycles.load(std::memory_order_acquire);
#endif
    if (stack::top_of(s.stack) != nullptr) {
      out.stack_size = runtime.default_shape.reserve;
    }
    const stack_account account(s.stack_account.load(std::memory_order_acquire));
    out.stack_high_water = std::max(account.high_water(), out.stack_used);
    out.stack_shrinks = account.shrinks();
    if (s.record.load(std::memory_order_acquire) != nullptr ||
        s.behaviour.load(std::memory_order_acquire) != nullptr) {
      const quiet_allocation quiet; // copies are made under the lock
      const std::lock_guard guard(s.record_lock);
      if (s.word.status(generation) == slot_status::live) {
        read_record(s, out);
      }
    }
  }
  switch (s.word.status(generation)) {
  case slot_status::live: return true;
  case slot_status::stale: return false;
  case slot_status::done: {
    const pid who = out.actor;
    out = {};
    out.actor = who;
    return true;
  }
  }
  return false;
}

} // namespace smarm::detail
