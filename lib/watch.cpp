// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "watch.hpp"

#include "duration_text.hpp"

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/parked_stack.hpp>
#include <smarm/detail/read_actor.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/stack.hpp>
#include <smarm/detail/survey.hpp>
#include <smarm/error.hpp>

#include <boost/system/system_error.hpp>

#include <string_view>

namespace smarm::detail {
namespace {

using namespace std::chrono_literals;

[[noreturn]] void refuse(std::string_view field, std::string_view allowed) {
  throw boost::system::system_error(make_error_code(errc::invalid_config),
                                    "watchdog_options::" + std::string(field) + ": allowed is " +
                                        std::string(allowed));
}

} // namespace

std::string span_text(std::int64_t nanoseconds) {
  return duration_text(std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::nanoseconds(nanoseconds)));
}

std::string lines_of(const std::vector<std::string>& frames) {
  std::string out;
  for (const std::string& frame : frames) {
    out += "\n    " + frame;
  }
  return out;
}

watchdog_options validated(const watchdog_options& how) {
  if (how.interval < 1ms || how.interval > 1h) {
    refuse("interval", "1 ms to 1 h");
  }
  const std::pair<std::string_view, std::chrono::nanoseconds> times[] = {
      {"long_slice", how.long_slice},
      {"slow_handler", how.slow_handler},
      {"blocked_handler", how.blocked_handler},
      {"unanswered_stop", how.unanswered_stop},
      {"stuck", how.stuck}};
  for (const auto& [field, value] : times) {
    if (value < 0ns) {
      refuse(field, "from 0");
    }
  }
  if (how.stack_percent > 100) {
    refuse("stack_percent", "0 to 100");
  }
  return how;
}

void watch::tell(report_kind kind, slot& s, std::uint32_t generation, std::string text) {
  found_.push_back({.kind = kind,
                    .actor = pid(s.index, generation),
                    .label = label_of(s),
                    .text = std::move(text)});
}

void watch::look(runtime_state& runtime, std::int64_t now, bool late) {
  const runtime_state::visit here(runtime);
  if (!here.open()) {
    auto found = std::move(found_);
    *this = watch(how_, schedulers_.size()); // another run is another matter
    found_ = std::move(found);
    return;
  }
  ++round_;
  seconds_ = last_ != 0 ? static_cast<double>(now - last_) / 1e9 : 0;
  last_ = now;
  waits_now_ = 0;
  long_waits_.clear();
  pool_waits_.clear();
  for (const auto& s : runtime.schedulers) {
    look_at(runtime, *s, now, late);
  }
  const std::size_t used = runtime.slots.used();
  actors_.resize(used);
  for (std::uint32_t i = 0; i < used; ++i) {
    look_at(runtime, *runtime.slots.find(i), now, late);
  }
  look_for_circles(runtime);
  look_for_yields(runtime, late);
}

// ---- Actors ------------------------------------------------------------------------------------

void watch::look_at(runtime_state& runtime, slot& s, std::int64_t now, bool late) {
  const slot_snapshot word = word_of(s);
  if (s.word.status(word.generation) != slot_status::live) {
    return;
  }
  actor_seen& seen = actors_[s.index];
  if (seen.round == 0 || seen.generation != word.generation) {
    seen = {};
    seen.generation = word.generation;
    seen.epoch = word.epoch;
    seen.received = s.messages_received.load(std::memory_order_relaxed);
    seen.waits_since = now;
  }
  seen.round = round_;
  seen.kind = s.waits_for.load(std::memory_order_relaxed); // of the present wait or the last one
  look_for_wakes(s, seen, word.epoch, late);
  if (!is_parked(word.state)) {
    seen.waits_since = now; // in a wait that began before it may have computed for long
  }
  if (seen.epoch != word.epoch) {
    seen.epoch = word.epoch;
    seen.waits_since = now;
    seen.told_stuck = false;
    seen.told_blocked = false;
  }

  if (!s.stop.requested()) {
    seen.asked_since = 0;
    seen.told_stop = false;
  } else if (seen.asked_since == 0) {
    seen.asked_since = now;
  } else if (how_.unanswered_stop > 0ns && !seen.told_stop &&
             now - seen.asked_since >= how_.unanswered_stop.count()) {
    seen.told_stop = true;
    const std::string doing = doing_of(runtime, s, pid(s.index, word.generation));
    if (!doing.empty()) {
      tell(report_kind::unanswered_stop, s, word.generation,
           "was asked to end " + span_text(now - seen.asked_since) + " ago and has not: it " + doing);
    }
  }

  if (is_parked(word.state)) {
    look_at_stack(s, seen);
    look_at_callback(runtime, s, seen, now);
    look_at_waits(runtime, s, seen, now);
  }
  look_at_inbox(s, seen);
}

// What it has on its stack is looked at without holding it at first: the few that have much are held.
void watch::look_at_stack(slot& s, actor_seen& seen) {
  constexpr std::ptrdiff_t little = 8 * 1024; // half of the smallest stack there is
  const auto saved = reinterpret_cast<std::uintptr_t>(s.context.load());
  const auto top = reinterpret_cast<std::uintptr_t>(s.stack.load());
  if (how_.stack_percent == 0 || saved == 0 || top == 0 ||
      static_cast<std::ptrdiff_t>(top - saved) < little) {
    seen.told_stack = false;
    return;
  }
  std::size_t used = 0;
  std::size_t size = 0;
  frame_addresses frames;
  {
    const held_actor held(s);
    const stack* const on = held ? s.stack.load() : nullptr;
    if (!held || held.was().generation != seen.generation || on == nullptr ||
        s.context == nullptr) {
      return;
    }
    used = static_cast<std::size_t>(on->top() - static_cast<std::byte*>(s.context.load()));
    size = on->size();
    if (used * 100 < size * how_.stack_percent) {
      seen.told_stack = false;
      return;
    }
    if (seen.told_stack) {
      return;
    }
    frames = frames_of(s.context);
  }
  seen.told_stack = true;
  std::vector<std::string> lines;
  for (void* const frame : frames) {
    lines.push_back(frame_text(frame));
  }
  tell(report_kind::stack_near_limit, s, seen.generation,
       "uses " + std::to_string(used) + " of the " + std::to_string(size) +
           " bytes of its stack: raise spawn_options::stack_size or config::stack_size, or keep what "
           "is large elsewhere" +
           lines_of(lines));
}

} // namespace smarm::detail
