// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/actor_record.hpp>

#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/runtime_state.hpp>

#include <memory>
#include <mutex>

namespace smarm::detail {
namespace {

bool asked(slot& s, stop_result result) noexcept {
  if (result == stop_result::enqueue) {
    make_ready(s);
  }
  return result != stop_result::no_actor;
}

} // namespace

// An actor that lives has not been concluded, so the mark is in time and the record stays.
actor_record& own_record(slot& me) {
  if (actor_record* record = me.record.load(std::memory_order_acquire)) {
    return *record;
  }
  auto spare = std::make_unique<actor_record>(); // may be a checkpoint, so not under the lock
  const std::lock_guard guard(me.record_lock);
  actor_record* record = me.record.load(std::memory_order_acquire);
  if (record == nullptr) { // nobody attended meanwhile
    (void)me.join.attend();
    record = spare.release();
    me.record.store(record, std::memory_order_release);
  }
  return *record;
}

void close_attendance(slot& me) noexcept {
  attendance* others = nullptr;
  {
    const std::lock_guard guard(me.record_lock);
    others = me.record.load(std::memory_order_acquire)->others.get();
  }
  if (others != nullptr) { // stays where it is until the end has been concluded
    others->close(me);
  }
}

// The slot is done, so nobody can attend any more, and the outcome is there; the joiner is not woken
// before this is over. It is the scheduler that does this, and nothing that a user wrote runs here.
void runtime_state::conclude(scheduler& here, slot& me) noexcept {
  std::unique_ptr<actor_record> record;
  {
    const std::lock_guard guard(me.record_lock);
    record.reset(me.record.exchange(nullptr, std::memory_order_acq_rel));
  }
  if (record != nullptr && record->others != nullptr) {
    record->others->conclude(*this, me);
  }
  record.reset();
  registration joiner;
  switch (me.join.end_attended(me.joiner, joiner.who, joiner.ticket)) {
  case join_found::joiner: wake(joiner); break;
  case join_found::detached: reclaim(&here, me); break;
  default: break;
  }
}

void drop_record(slot& s) noexcept {
  const std::unique_ptr<actor_record> old = [&s] {
    const std::lock_guard guard(s.record_lock);
    return std::unique_ptr<actor_record>(s.record.exchange(nullptr, std::memory_order_relaxed));
  }();
}

// Who is supervised is watched, and so has a record.
void note_restarts(slot& s, pid actor, std::uint64_t restarts) noexcept {
  const std::lock_guard guard(s.record_lock);
  actor_record* record = s.record.load(std::memory_order_acquire);
  if (record != nullptr && s.word.snapshot().generation == actor.generation()) {
    record->supervised = true;
    record->restarts = restarts;
  }
}

std::string label_of(slot& s) {
  const quiet_allocation quiet; // the copy is made under the lock
  const std::lock_guard guard(s.record_lock);
  const actor_record* record = s.record.load(std::memory_order_acquire);
  return record != nullptr ? record->label : std::string();
}

bool shut_down(runtime_state& runtime, pid actor, pid from, shutdown_asked how) noexcept {
  slot* s = runtime.slots.find(actor.index());
  return s != nullptr && shut_down(*s, actor, from, how);
}

bool shut_down(slot& s, pid actor, pid from, shutdown_asked how) noexcept {
  if (SMARM_UNLIKELY(s.record.load(std::memory_order_acquire) != nullptr)) {
    attendance::shutdown_teller tell = nullptr;
    {
      const std::lock_guard guard(s.record_lock);
      const actor_record* record = s.record.load(std::memory_order_acquire);
      if (record != nullptr && record->others != nullptr) {
        tell = record->others->tell_shutdown;
      }
    }
    if (tell != nullptr && tell(s, actor, from, how)) {
      return true;
    }
  }
  return asked(s, s.stop.request(actor.generation(), stop_flag::shutdown, s.word));
}

bool insist_on_stop(slot& s, pid actor) noexcept {
  return asked(s, s.stop.insist(actor.generation(), s.word));
}

} // namespace smarm::detail
