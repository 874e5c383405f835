// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Servers, and other actors, that do not serve those who ask them.

#include "watch.hpp"

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/attend.hpp>
#include <smarm/detail/parked_stack.hpp>
#include <smarm/detail/published.hpp>
#include <smarm/detail/read_actor.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/server_core.hpp>
#include <smarm/detail/server_loop.hpp>
#include <smarm/detail/survey.hpp>

#include <boost/core/demangle.hpp>

#include <mutex>
#include <optional>
#include <typeinfo>

namespace smarm::detail {
namespace {

using namespace std::chrono_literals;

struct seen_inboxes {
  std::size_t queued = 0;
  const std::type_info* type = nullptr; // of a server
};

// They are counted where they are, without asking the actor: the one that matters is stuck, or has no time.
// Nothing if it has none that can be seen.
std::optional<seen_inboxes> inboxes_of(slot& s, std::uint32_t generation) {
  if (s.record.load(std::memory_order_relaxed) == nullptr) {
    if (s.behaviour.load(std::memory_order_relaxed) == nullptr) {
      return std::nullopt;
    }
    // The many that have nothing to do, and so no stack.
    if (is_parked(s.word.snapshot().state) && s.context == nullptr &&
        s.waits_for.load(std::memory_order_relaxed) == wait_kind::message) {
      return std::nullopt;
    }
  }
  const std::lock_guard guard(s.record_lock); // under which an actor lets go of both
  if (s.word.status(generation) != slot_status::live) {
    return std::nullopt;
  }
  seen_inboxes out;
  bool any = false;
  actor_record* const record = s.record.load(std::memory_order_acquire);
  if (const relations* const known = record != nullptr ? relations_in(*record) : nullptr) {
    for (const published_inbox& inbox : known->inboxes) {
      out.queued += inbox.queued();
      any = true;
    }
  }
  if (const void* const behaviour = s.behaviour.load(std::memory_order_acquire)) {
    out.queued += static_cast<const server_core*>(behaviour)->queued();
    out.type = type_of_resident(s).type;
    any = true;
  }
  return any ? std::optional(out) : std::nullopt;
}

} // namespace

void watch::look_at_inbox(slot& s, actor_seen& seen) {
  if (how_.long_inbox == 0) {
    return;
  }
  const std::optional<seen_inboxes> found = inboxes_of(s, seen.generation);
  if (!found || found->queued <= how_.long_inbox / 2) {
    seen.told_inbox = false;
  } else if (found->queued >= how_.long_inbox && !seen.told_inbox) {
    seen.told_inbox = true;
    const std::string queued = "has " + std::to_string(found->queued);
    tell(report_kind::long_inbox, s, seen.generation,
         found->type != nullptr
             ? queued + " calls and casts queued (" + boost::core::demangle(found->type->name()) +
                   "): it is slower than those who send; bound its inbox by server_options, or "
                   "share its work out"
             : queued + " messages queued: it is slower than those who send; bound the channel, or "
                        "share its work out");
  }
}

void watch::look_at_callback(runtime_state& runtime, slot& s, actor_seen& seen, std::int64_t now) {
  const std::int64_t waited = now - seen.waits_since;
  if (how_.blocked_handler == 0ns || waited < how_.blocked_handler.count() || seen.told_blocked ||
      s.behaviour.load(std::memory_order_relaxed) == nullptr || s.stop.requested()) {
    return; // who is to end is looked at by another limit
  }
  frame_addresses frames;
  std::string wait;
  {
    const held_actor held(s);
    if (!held || held.was().generation != seen.generation || held.was().epoch != seen.epoch ||
        s.context == nullptr || s.masks.between_callbacks) {
      return;
    }
    wait = wait_text(runtime, s, held.was().state);
    frames = frames_of(s.context);
  }
  seen.told_blocked = true;
  std::vector<std::string> lines;
  for (void* const frame : frames) {
    lines.push_back(frame_text(frame));
  }
  tell(report_kind::blocked_handler, s, seen.generation,
       "has been inside one callback for " + span_text(waited) + ", which " + wait +
           ", and serves nobody meanwhile: answer later, by a reply_to or a pending_reply, or let "
           "another actor wait" +
           lines_of(lines));
}

} // namespace smarm::detail
