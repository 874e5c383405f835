// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What only some actors have: a label, a stack of their own shape, others who want to hear of their
// end. Kept beside the slot so that the rest does not pay for it, and made when it is first needed:
// by the spawner, or by who attends the actor. Whoever may have one takes the longer way at its end,
// where the record is taken out of the slot and then settled, under no lock, by
// runtime_state::conclude.

#ifndef SMARM_DETAIL_ACTOR_RECORD_HPP
#define SMARM_DETAIL_ACTOR_RECORD_HPP

#include <smarm/detail/local_values.hpp>
#include <smarm/pid.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace smarm::detail {

class runtime_state;
class stack;
struct slot;

enum class shutdown_asked : std::uint8_t {
  directly,
  by_sweep // one of many, of which an actor that traps is told once
};

// What others have to do with an actor. The runtime knows only when it is to be asked; what there is
// to it, and who makes it, is a matter of a higher layer: see relations.hpp.
class attendance {
public:
  // Tells an actor in its own way that it should end. False: it is to be told by a request.
  using shutdown_teller = bool (*)(slot& s, pid actor, pid from, shutdown_asked how) noexcept;

  explicit attendance(shutdown_teller teller) noexcept : tell_shutdown(teller) {}
  attendance(const attendance&) = delete;
  attendance& operator=(const attendance&) = delete;
  virtual ~attendance() = default;

  // The actor ends; called in its own context, under no lock: it cannot be reached from now on.
  virtual void close(slot& me) noexcept = 0;
  // Its slot is done, and this was taken out of its record: those who wait for the end are told.
  virtual void conclude(runtime_state& runtime, slot& me) noexcept = 0;

  const shutdown_teller tell_shutdown; // copied out under the record lock, called under none
};

// All but own_stack and locals under the slot's record_lock.
struct actor_record {
  std::string label;          // written by the actor itself, which may read it without the lock
  std::string details;        // of its failure, for the report; the actor's own: nobody else looks
  stack* own_stack = nullptr; // of its own shape, until the actor starts on it
  std::size_t own_stack_size = 0; // in bytes; never changes; 0: of the default shape
  bool supervised = false;        // a supervisor has started it,
  std::uint64_t restarts = 0;     // after so many restarts of its predecessors
  std::unique_ptr<attendance> others; // never changes once it is there
  std::unique_ptr<local_values> locals; // the actor's own: nobody else looks
};

// The calling actor's own, made if there is none. Throws std::bad_alloc.
[[nodiscard]] actor_record& own_record(slot& me);

// The actor ends: it gives up what others reach it by, while it is still an actor.
void close_attendance(slot& me) noexcept;

// Takes the record away from an actor that never began.
void drop_record(slot& s) noexcept;

// A supervisor tells how often it has started that child anew. Nothing happens if it has ended.
void note_restarts(slot& s, pid actor, std::uint64_t restarts) noexcept;

// The label of whoever lives in the slot, from any thread; empty if it has none.
[[nodiscard]] std::string label_of(slot& s);

// A message to an actor that traps exits, a request to any other. False: there is no such actor.
bool shut_down(runtime_state& runtime, pid actor, pid from, shutdown_asked how) noexcept;
// The same for who has its slot, which may be that of a later actor by now; of whichever runtime.
bool shut_down(slot& s, pid actor, pid from, shutdown_asked how) noexcept;
// Likewise a stop: one that is urgent if the actor was asked to end before.
bool insist_on_stop(slot& s, pid actor) noexcept;

} // namespace smarm::detail

#endif
