// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Getting at the record of a live actor, from any thread; it is made if there is none.
//
// Attendance against the end. The ending publishes the slot as done and then takes its join word. Who
// attends does the following under the record lock:
//
//   the slot must be live, of the right generation
//   mark the join word as attended; this fails if the ending has taken it
//   the generation must still be the same, else the mark went to a later tenant and means nothing
//   put the record into the slot
//
// An ending that finds the mark takes the record out under the same lock before it takes the word. So
// either the mark was there in time, and the record is found, even if it is put there only then; or
// the ending had taken the word, and the attender learns it from that; or it comes to the lock after
// the ending did, and sees a slot that is done. And while the attender holds the lock, a slot with the
// mark does not change hands, so that the record meets its own actor and no other. Of an actor that
// has a record already nothing is asked but that it is live: its ending comes to the lock in any case.
// An actor that was abandoned is taken for one that has ended.

#ifndef SMARM_DETAIL_ATTEND_HPP
#define SMARM_DETAIL_ATTEND_HPP

#include <smarm/detail/relations.hpp>
#include <smarm/detail/slot.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

namespace smarm::detail {

// Those of a record; null if there are none yet. Nothing else is ever put there.
[[nodiscard]] inline relations* relations_in(actor_record& record) noexcept {
  return static_cast<relations*>(record.others.get());
}
[[nodiscard]] std::unique_ptr<actor_record> record_with_relations();

// The relations of the slot's live tenant of that generation, under the lock. If it has none those of
// the spare are put there. Null: it has ended, or never was, or there was need of a spare and none.
[[nodiscard]] relations* attended(slot& s, std::uint32_t generation,
                                  std::unique_ptr<actor_record>& spare, bool& needs_spare) noexcept;

// Calls what(relations) under the record lock of the slot's live tenant of that generation. False, and
// it was not called: there is none. Throws std::bad_alloc.
template <class What>
[[nodiscard]] bool attend(slot& s, std::uint32_t generation, What&& what) {
  static_assert(noexcept(what(std::declval<relations&>())));
  std::unique_ptr<actor_record> spare;
  for (;;) {
    bool needs_spare = false;
    {
      const std::lock_guard guard(s.record_lock);
      if (relations* found = attended(s, generation, spare, needs_spare)) {
        what(*found);
        return true;
      }
    }
    if (!needs_spare) {
      return false;
    }
    spare = record_with_relations(); // may be a checkpoint, so not under the lock
  }
}

// The same for who needs none where there are none.
template <class What>
[[nodiscard]] bool visit_relations(slot& s, std::uint32_t generation, What&& what) noexcept {
  static_assert(noexcept(what(std::declval<relations&>())));
  const std::lock_guard guard(s.record_lock);
  actor_record* record = s.record.load(std::memory_order_acquire);
  relations* found = record != nullptr ? relations_in(*record) : nullptr;
  if (found == nullptr || found->abandoned || s.word.snapshot().generation != generation) {
    return false;
  }
  what(*found);
  return true;
}

} // namespace smarm::detail

#endif
