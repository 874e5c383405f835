// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Waits that cannot end.

#include "watch.hpp"

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/read_actor.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/wait_kind.hpp>

#include <algorithm>
#include <set>
#include <sstream>

namespace smarm::detail {
namespace {

using namespace std::chrono_literals;

std::uint64_t ticket_of(const slot_snapshot& word) noexcept {
  return std::uint64_t{word.generation} << 24 | word.epoch;
}

std::string named(slot& s) {
  std::ostringstream out;
  out << "actor " << s.id();
  if (const std::string label = label_of(s); !label.empty()) {
    out << " \"" << label << '"';
  }
  return std::move(out).str();
}

} // namespace

void watch::look_at_waits(runtime_state& runtime, slot& s, actor_seen& seen, std::int64_t now) {
  if (how_.stuck == 0ns || now - seen.waits_since < how_.stuck.count() ||
      (seen.kind != wait_kind::lock && seen.kind != wait_kind::reply &&
       seen.kind != wait_kind::room)) {
    return;
  }
  const seen_wait wait = see_wait(runtime, s);
  if (!is_parked(wait.word.state) || wait.word.generation != seen.generation ||
      wait.word.epoch != seen.epoch) {
    return; // it has gone on by now
  }
  const pid who = wait.on;
  slot* const theirs = who.is_valid() ? runtime.slots.find(who.index()) : nullptr;
  if (theirs == nullptr || theirs->runtime.load() != &runtime) {
    return; // a plain thread's, or of another runtime
  }
  if (theirs->word.status(who.generation()) == slot_status::live) {
    edges_.push_back({&s, theirs});
  } else if (wait.kind == wait_kind::lock && !seen.told_stuck) {
    seen.told_stuck = true;
    std::ostringstream text;
    text << "has waited for " << span_text(now - seen.waits_since) << " for a lock which actor " << who
         << " held when the wait began, and that one has ended: if it did not unlock, hold locks by a "
            "guard; if it did, whoever has the lock now keeps it too long";
    tell(runtime, report_kind::stuck, s, seen.generation, std::move(text).str());
  }
}

watch::actor_seen* watch::seen_now(const slot& s) noexcept {
  actor_seen* const known = s.index < actors_.size() ? &actors_[s.index] : nullptr;
  return known != nullptr && known->round == round_ ? known : nullptr;
}

void watch::look_for_circles(runtime_state& runtime) {
  if (how_.stuck == 0ns) {
    return;
  }
  // Whoever is joined has its joiner beside it.
  for (std::uint32_t index = 0; index < actors_.size(); ++index) {
    if (actors_[index].round != round_) {
      continue;
    }
    slot* const joined = runtime.slots.find(index);
    slot* const joiner = joined->joiner.who.load(std::memory_order_relaxed);
    if (joiner == nullptr || joiner->runtime.load() != &runtime) {
      continue; // nobody, a plain thread, or one of another runtime
    }
    const slot_snapshot word = joiner->word.snapshot();
    const actor_seen* const known = seen_now(*joiner);
    if (is_parked(word.state) && known != nullptr &&
        ticket_of(word) == joined->joiner.ticket.load(std::memory_order_relaxed) &&
        joiner->waits_for.load(std::memory_order_relaxed) == wait_kind::join &&
        known->epoch == word.epoch && last_ - known->waits_since >= how_.stuck.count()) {
      edges_.push_back({joiner, joined});
    }
  }
  std::map<slot*, slot*> waits_for;
  for (const edge& e : edges_) {
    waits_for.emplace(e.from, e.to);
  }
  std::set<slot*> done;
  for (const auto& [first, unused] : waits_for) {
    std::vector<slot*> path;
    slot* at = first;
    while (at != nullptr && done.insert(at).second) {
      path.push_back(at);
      const auto next = waits_for.find(at);
      at = next != waits_for.end() ? next->second : nullptr;
    }
    const auto begin = std::find(path.begin(), path.end(), at);
    if (at == nullptr || begin == path.end()) {
      continue;
    }
    actor_seen* const seen = seen_now(*at);
    if (seen == nullptr || seen->told_stuck) {
      continue;
    }
    std::string text = "waits in a circle that only a stop or a deadline ends: ";
    for (auto member = begin; member != path.end(); ++member) {
      if (actor_seen* const its = seen_now(**member)) {
        its->told_stuck = true;
      }
      const auto kind = (*member)->waits_for.load(std::memory_order_relaxed);
      text += named(**member) + (kind == wait_kind::join    ? " for the end of "
                                 : kind == wait_kind::reply ? " for a reply of "
                                 : kind == wait_kind::room  ? " for room in the inbox of "
                                                            : " for a lock of ");
    }
    text +=
        "the first. Take locks in one order, join only those whom you started, and of two servers "
        "let only one call the other, or cast to it when its inbox is full";
    tell(runtime, report_kind::stuck, *at, seen->generation, std::move(text));
  }
}

} // namespace smarm::detail
