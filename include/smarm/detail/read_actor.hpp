// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What can be read of an actor while it goes on, and how that stays of one piece.
//
//   The wait. The actor writes what it waits for, whom, and since when, and then parks, which publishes
//     the word. Who reads takes the word, these, and the word again. If the word is the same and says
//     parked, they are of that wait: whatever is written later is written after a wake or a stop has
//     changed the word, with release, so that who reads (acquire) any of it sees that word too.
//   The incarnation. All else is looked at between two readings of the generation. The spawner of the
//     next tenant writes with release what it finds in a slot whose generation has moved.
//   What is behind pointers is looked at under the record lock, which an ending takes before it lets go
//     of any of that, and only if the generation is still right there.

#ifndef SMARM_DETAIL_READ_ACTOR_HPP
#define SMARM_DETAIL_READ_ACTOR_HPP

#include <smarm/actor_info.hpp>
#include <smarm/detail/slot.hpp>

#include <cstdint>

namespace smarm::detail {

class runtime_state;

// What its word says, and what belongs to it.
struct seen_wait {
  slot_snapshot word{};
  wait_kind kind = wait_kind::nothing; // and all below only if the word says parked
  pid on;
  std::uint32_t since = 0; // of the coarse clock
  bool has_stack = false;
  std::size_t stack_used = 0; // bytes
};

[[nodiscard]] constexpr bool is_parked(slot_state s) noexcept {
  return s == slot_state::parked || s == slot_state::parked_masked ||
         s == slot_state::parked_unless_urgent;
}

// What its word says, but for who is held: that one is parked.
[[nodiscard]] slot_snapshot word_of(const slot& s) noexcept;

// At one moment of the call. Reads nothing but slots.
[[nodiscard]] seen_wait see_wait(const runtime_state& runtime, const slot& s) noexcept;

// Who lives in the slot now, whoever it is. False: nobody does, or it changed hands meanwhile. Throws
// std::bad_alloc.
[[nodiscard]] bool read_actor(runtime_state& runtime, slot& s, std::int64_t now, actor_info& out);

} // namespace smarm::detail

#endif
