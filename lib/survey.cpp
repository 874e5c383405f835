// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/survey.hpp>

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/read_actor.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/stack.hpp>
#include <smarm/detail/utf8_text.hpp>
#include <smarm/runtime.hpp>
#include <smarm/wait_kind.hpp>

#include <atomic>
#include <cstddef>
#include <ostream>
#include <sstream>
#include <utility>

namespace smarm::detail {
namespace {

const scheduler* runner_of(const runtime_state& runtime, const slot& s) noexcept {
  for (const auto& candidate : runtime.schedulers) {
    if (candidate->current == &s) {
      return candidate.get();
    }
  }
  return nullptr;
}

// How much an actor has on its stack if it still waits as it did when the word was read, else 0. The
// stack itself may be gone by now, so only addresses are looked at.
std::size_t stack_used(const slot& s, const slot_snapshot& word) noexcept {
  const std::byte* const top = stack::top_of(s.stack);
  const auto* const saved = static_cast<const std::byte*>(s.context.load());
  // Before the two change, the word does: the second reading of it comes after them.
  std::atomic_thread_fence(std::memory_order_acquire);
  const slot_snapshot now = word_of(s);
  const bool the_same =
      now.generation == word.generation && now.epoch == word.epoch && now.state == word.state;
  if (!the_same || top == nullptr || saved == nullptr) {
    return 0;
  }
  return static_cast<std::size_t>(top - saved);
}

// Whom it found the lock with when it began to wait. Others may have had it since.
void add_holder(std::ostream& text, runtime_state& runtime, const slot& s) {
  const std::uint64_t holder = s.waits_on.load(std::memory_order_acquire);
  if (holder == 0) {
    return;
  }
  const pid who(static_cast<std::uint32_t>(holder >> 32), static_cast<std::uint32_t>(holder));
  text << ", which actor " << who << " held when the wait began";
  slot* const theirs =
      who.index() < runtime.slots.used() ? runtime.slots.find(who.index()) : nullptr;
  if (theirs == nullptr || theirs->runtime.load() != &runtime) {
    text << ", of another runtime"; // or the slot went back with one that is gone
  } else if (theirs->word.status(who.generation()) != slot_status::live) {
    text << "; that one has ended since: if it did not unlock, hold locks by a guard";
  }
}

survivor describe(runtime_state& runtime, slot& s, const slot_snapshot& word) {
  survivor out;
  out.label = label_of(s);
  out.actor = pid(s.index, word.generation);
  const bool parked = is_parked(word.state);
  std::ostringstream text;
  if (parked) {
    out.waits_for = to_string(s.waits_for.load(std::memory_order_relaxed));
    text << wait_text(runtime, s, word.state);
  } else if (const scheduler* runner = runner_of(runtime, s)) {
    out.waits_for = "nothing: it is running";
    out.age = std::chrono::nanoseconds(monotonic_now() - runner->coarse_now);
    text
        << "has been running on scheduler " << runner->id << " for about "
        << out.age.count() / 1'000'000
        << " ms without a stop point: add this_actor::checkpoint() to its loop, or move a blocking "
           "call off the scheduler";
    out.backtrace = runtime.backtrace_on(*runner);
    for (const std::string& frame : out.backtrace) {
      text << "\n    " << frame;
    }
  } else {
    out.waits_for = "nothing: it is ready to run";
    text << "is ready to run";
  }
  if (parked) {
    out.stack_used = stack_used(s, word);
  }
  if (out.stack_used != 0) {
    text << "; " << out.stack_used << " bytes of stack in use";
  }
  out.text = text.str();
  return out;
}

} // namespace

std::string wait_text(runtime_state& runtime, const slot& s, slot_state how) {
  std::ostringstream text;
  const wait_kind kind = s.waits_for.load(std::memory_order_relaxed);
  text << "waits for " << to_string(kind);
  if (kind == wait_kind::lock) {
    add_holder(text, runtime, s);
  }
  if (how == slot_state::parked_masked) {
    text << " and may not be stopped there: it is in a destructor, under disable_stop, or in a "
            "wait that is no stop point";
  } else if (how == slot_state::parked_unless_urgent) {
    text << " in its terminate, which request_stop ends";
  }
  return std::move(text).str();
}

std::string doing_of(runtime_state& runtime, slot& s, pid actor) {
  const slot_snapshot word = word_of(s);
  return word.generation == actor.generation() &&
                 s.word.status(actor.generation()) == slot_status::live
             ? describe(runtime, s, word).text
             : std::string();
}

std::vector<survivor> survey(runtime_state& runtime) {
  std::vector<survivor> out;
  const std::size_t used = runtime.slots.used();
  for (std::uint32_t i = 0; i < used; ++i) {
    slot* s = runtime.slots.find(i);
    const slot_snapshot word = word_of(*s);
    if (s->word.status(word.generation) != slot_status::live) {
      continue;
    }
    survivor one = describe(runtime, *s, word);
    if (s->word.status(word.generation) == slot_status::live) {
      out.push_back(std::move(one));
    }
  }
  if (const blocking_pool* const pool = runtime.blocking_pool_if_any()) {
    for (const pid caller : callers_of_left_calls(*pool)) {
      survivor one;
      one.actor = caller;
      one.waits_for = to_string(wait_kind::blocking);
      one.text = "has left a blocking_detached call that still runs: give the function a deadline "
                 "of its own";
      out.push_back(std::move(one));
    }
  }
  return out;
}

} // namespace smarm::detail

namespace smarm {

std::ostream& operator<<(std::ostream& out, const survivor& s) {
  out << "actor " << s.actor;
  if (!s.label.empty()) {
    out << " \"" << detail::printable_text(s.label) << '"';
  }
  return out << ' ' << s.text;
}

} // namespace smarm
