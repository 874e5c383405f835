// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Waits that cannot end.

#include "watch.hpp"

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/parked_stack.hpp>
#include <smarm/detail/pool_control.hpp>
#include <smarm/detail/read_actor.hpp>
#include <smarm/detail/reply_route.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/utf8_text.hpp>
#include <smarm/wait_kind.hpp>

#include <algorithm>
#include <set>
#include <sstream>

namespace smarm::detail {
namespace {

using namespace std::chrono_literals;

std::string named(slot& s) {
  std::ostringstream out;
  out << "actor " << s.id();
  if (const std::string label = label_of(s); !label.empty()) {
    out << " \"" << printable_text(label) << '"';
  }
  return std::move(out).str();
}

const char* what_of_whom(wait_kind kind) noexcept {
  switch (kind) {
  case wait_kind::join: return " for the end of ";
  case wait_kind::reply: return " for a reply of ";
  case wait_kind::room: return " for room in the inbox of ";
  case wait_kind::pool_reply: return " for a worker of a pool, which is ";
  default: return " for a lock of ";
  }
}

} // namespace

watch::actor_seen* watch::seen_now(const slot& s) noexcept {
  actor_seen* const known = s.index < actors_.size() ? &actors_[s.index] : nullptr;
  return known != nullptr && known->round == round_ ? known : nullptr;
}

// ---- Who waits for whom ------------------------------------------------------------------------

void watch::look_at_waits(runtime_state& runtime, slot& s, actor_seen& seen, std::int64_t now) {
  if (how_.stuck == 0ns || now - seen.waits_since < how_.stuck.count()) {
    return;
  }
  switch (seen.kind) {
  case wait_kind::lock:
  case wait_kind::join:
  case wait_kind::reply:
  case wait_kind::room: break;
  case wait_kind::pool_reply: look_at_pool_call(runtime, s, seen); return;
  default: return; // for what anybody might bring
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
    long_waits_.push_back({&s, {theirs}});
  } else if (wait.kind == wait_kind::lock && !seen.told_stuck) {
    seen.told_stuck = true;
    std::ostringstream text;
    text << "has waited for " << span_text(now - seen.waits_since) << " for a lock which actor " << who
         << " held when the wait began, and that one has ended: if it did not unlock, hold locks by a "
            "guard; if it did, whoever has the lock now keeps it too long";
    tell(report_kind::stuck, s, seen.generation, std::move(text).str());
  }
}

// Who has the request is in it, and it is there as long as the caller cannot go on.
void watch::look_at_pool_call(runtime_state& runtime, slot& s, const actor_seen& seen) {
  const slot* with = nullptr;
  pid supervisor;
  {
    const held_actor held(s);
    if (!held || held.was().generation != seen.generation || held.was().epoch != seen.epoch ||
        s.waits_for.load(std::memory_order_relaxed) != wait_kind::pool_reply) {
      return;
    }
    const auto& route = *reinterpret_cast<const reply_route*>(
        static_cast<std::uintptr_t>(s.waits_on.load(std::memory_order_acquire)));
    with = route.with->load(std::memory_order_relaxed);
    if (with == nullptr) {
      supervisor = route.pool->workers.get().id();
    }
  }
  if (with == nullptr) {
    pool_waits_.push_back({&s, supervisor});
  } else if (with->runtime.load() == &runtime) {
    long_waits_.push_back({&s, {runtime.slots.find(with->index)}});
  }
}

// ---- Circles -----------------------------------------------------------------------------------

// Of those who wait for one of several the ones are left whose helpers are all left.
void watch::look_for_circles(runtime_state& runtime) {
  if (!pool_waits_.empty()) {
    std::map<pid, std::vector<slot*>> workers;
    for (const pool_wait& w : pool_waits_) {
      workers.try_emplace(w.supervisor);
    }
    for (std::uint32_t index = 0; index < actors_.size(); ++index) {
      slot* const s = runtime.slots.find(index);
      const std::uint64_t parent = s->parent.load(std::memory_order_acquire);
      const auto of = workers.find(pid(static_cast<std::uint32_t>(parent >> 32),
                                       static_cast<std::uint32_t>(parent)));
      if (seen_now(*s) != nullptr && of != workers.end()) {
        of->second.push_back(s);
      }
    }
    for (const pool_wait& w : pool_waits_) {
      if (const auto& all = workers[w.supervisor]; !all.empty()) {
        long_waits_.push_back({w.who, all});
      }
    }
  }
  std::map<slot*, const std::vector<slot*>*> left;
  for (const long_wait& w : long_waits_) {
    left.emplace(w.who, &w.for_one_of);
  }
  const auto can_be_helped = [&left](const auto& one) {
    return !std::all_of(one.second->begin(), one.second->end(),
                        [&left](slot* s) { return left.contains(s); });
  };
  while (std::erase_if(left, can_be_helped) != 0) {
  }
  // Wherever one begins, and whomever one follows, one comes into a circle.
  std::set<slot*> done;
  for (const auto& [first, unused] : left) {
    std::vector<slot*> path;
    slot* at = first;
    while (done.insert(at).second) {
      path.push_back(at);
      at = left.at(at)->front();
    }
    if (const auto begin = std::find(path.cbegin(), path.cend(), at); begin != path.cend()) {
      tell_circle(begin, path.cend());
    }
  }
}

void watch::tell_circle(std::vector<slot*>::const_iterator first,
                        std::vector<slot*>::const_iterator last) {
  actor_seen* const seen = seen_now(**first);
  if (seen == nullptr || seen->told_stuck) {
    return;
  }
  std::string text = "waits in a circle that only a stop or a deadline ends: ";
  for (auto member = first; member != last; ++member) {
    if (actor_seen* const its = seen_now(**member)) {
      its->told_stuck = true;
    }
    text += named(**member) + what_of_whom((*member)->waits_for.load(std::memory_order_relaxed));
  }
  text += last - first == 1 ? "itself" : "the first";
  text += ". Take locks in one order, join only those whom you started, and of two servers let only "
          "one call the other";
  tell(report_kind::stuck, **first, seen->generation, std::move(text));
}

} // namespace smarm::detail
