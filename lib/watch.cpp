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
#include <smarm/detail/server_core.hpp>
#include <smarm/detail/server_loop.hpp>
#include <smarm/detail/stack.hpp>
#include <smarm/detail/survey.hpp>
#include <smarm/detail/timers.hpp>
#include <smarm/error.hpp>
#include <smarm/runtime.hpp>
#include <smarm/wait_kind.hpp>

#include <boost/core/demangle.hpp>
#include <boost/system/system_error.hpp>

#include <pthread.h>
#include <time.h>

#include <mutex>
#include <string_view>
#include <typeinfo>

namespace smarm::detail {
namespace {

using namespace std::chrono_literals;

[[noreturn]] void refuse(std::string_view field, std::string_view allowed) {
  throw boost::system::system_error(make_error_code(errc::invalid_config),
                                    "watchdog_options::" + std::string(field) + ": allowed is " +
                                        std::string(allowed));
}

// How long the thread has computed, in nanoseconds; 0 if that cannot be told.
std::int64_t processor_time(pthread_t thread) noexcept {
  clockid_t clock{};
  timespec used{};
  if (::pthread_getcpuclockid(thread, &clock) != 0 || ::clock_gettime(clock, &used) != 0) {
    return 0;
  }
  return std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

std::string lines_of(const std::vector<std::string>& frames) {
  std::string out;
  for (const std::string& frame : frames) {
    out += "\n    " + frame;
  }
  return out;
}

} // namespace

std::string span_text(std::int64_t nanoseconds) {
  return duration_text(std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::nanoseconds(nanoseconds)));
}

watchdog_options validated(const watchdog_options& how) {
  if (how.interval < 1ms || how.interval > 1h) {
    refuse("interval", "1 ms to 1 h");
  }
  const std::pair<std::string_view, std::chrono::nanoseconds> times[] = {
      {"long_slice", how.long_slice},
      {"slow_handler", how.slow_handler},
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

void watch::tell(runtime_state& runtime, report_kind kind, slot& s, std::uint32_t generation,
                 std::string text) const {
  runtime.tell({.kind = kind,
                .actor = pid(s.index, generation),
                .label = label_of(s),
                .text = std::move(text)});
}

void watch::look(runtime_state& runtime, std::int64_t now, bool late) {
  const runtime_state::visit here(runtime);
  if (!here.open()) {
    *this = watch(how_, schedulers_.size()); // another run is another matter
    return;
  }
  ++round_;
  seconds_ = last_ != 0 ? static_cast<double>(now - last_) / 1e9 : 0;
  last_ = now;
  waits_now_ = 0;
  edges_.clear();
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

// ---- Schedulers --------------------------------------------------------------------------------

// Whoever waits, yields or passes a checkpoint now and then makes the scheduler count a switch or look
// at the clock.
void watch::look_at(runtime_state& runtime, scheduler& s, std::int64_t now, bool late) {
  scheduler_seen& seen = schedulers_[s.id];
  slot* const current = s.current;
  if (!s.online.load(std::memory_order_acquire) || current == nullptr) {
    seen = {};
    return;
  }
  scheduler_seen fresh;
  fresh.current = current;
  fresh.generation = current->word.snapshot().generation;
  fresh.switches = s.switches.value();
  fresh.last_look = s.coarse_now;
  const bool the_same = fresh.current == seen.current && fresh.generation == seen.generation &&
                        fresh.switches == seen.switches && fresh.last_look == seen.last_look;
  if (!the_same || late) {
    const bool told = the_same && seen.told;
    seen = fresh;
    seen.since = now;
    seen.used = processor_time(s.thread);
    seen.told = told;
    return;
  }
  const std::int64_t lasted = now - seen.since;
  if (seen.told) {
    return;
  }
  if (s.is_actor(current)) {
    if (how_.long_slice > 0ns && lasted >= how_.long_slice.count()) {
      seen.told = true;
      tell(runtime, report_kind::long_slice, *current, seen.generation,
           "has been running on scheduler " + std::to_string(s.id) + " for " + span_text(lasted) +
               " without a stop point: add this_actor::checkpoint() to its loop, or move a blocking "
               "call off the scheduler" +
               lines_of(runtime.backtrace_on(s)));
    }
    return;
  }
  // By what it has computed, not by how long ago that began: a scheduler that sleeps does not compute, and
  // on a machine that has too much to do time passes without it.
  const std::int64_t computed = processor_time(s.thread) - seen.used;
  if (how_.slow_handler > 0ns && computed >= how_.slow_handler.count()) {
    seen.told = true;
    runtime.tell({.kind = report_kind::slow_handler,
                  .text = "scheduler " + std::to_string(s.id) + " has computed for " +
                          span_text(computed) +
                          " on no actor's behalf, in a handler or in run_on_thread_stack: let it "
                          "wake an actor that does the work" +
                          lines_of(runtime.backtrace_on(s))});
  }
}

// ---- Actors ------------------------------------------------------------------------------------

void watch::look_at(runtime_state& runtime, slot& s, std::int64_t now, bool late) {
  const slot_snapshot word = s.word.snapshot();
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
  look_for_wakes(runtime, s, seen, word.epoch, late);
  if (seen.epoch != word.epoch) {
    seen.epoch = word.epoch;
    seen.waits_since = now;
    seen.told_stuck = false;
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
      tell(runtime, report_kind::unanswered_stop, s, word.generation,
           "was asked to end " + span_text(now - seen.asked_since) + " ago and has not: it " + doing);
    }
  }

  if (is_parked(word.state)) {
    look_at_stack(runtime, s, seen);
    look_at_waits(runtime, s, seen, now);
  }
  look_at_inbox(runtime, s, seen);
}

// What it has on its stack is looked at without holding it at first: the few that have much are held.
void watch::look_at_stack(runtime_state& runtime, slot& s, actor_seen& seen) {
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
  tell(runtime, report_kind::stack_near_limit, s, seen.generation,
       "uses " + std::to_string(used) + " of the " + std::to_string(size) +
           " bytes of its stack: raise spawn_options::stack_size or config::stack_size, or keep what "
           "is large elsewhere" +
           lines_of(lines));
}

// It is counted where it is, without asking the server: the one that matters is stuck, or has no time.
void watch::look_at_inbox(runtime_state& runtime, slot& s, actor_seen& seen) {
  if (how_.long_inbox == 0 || s.behaviour.load(std::memory_order_relaxed) == nullptr) {
    return;
  }
  const slot_snapshot word = s.word.snapshot();
  if (is_parked(word.state) && s.waits_for.load(std::memory_order_relaxed) == wait_kind::message &&
      s.context == nullptr) {
    seen.told_inbox = false; // idle: it has none
    return;
  }
  std::size_t queued = 0;
  const std::type_info* type = nullptr;
  {
    const std::lock_guard guard(s.record_lock); // under which a server lets its behaviour go
    void* const behaviour = s.behaviour.load(std::memory_order_acquire);
    if (behaviour == nullptr || s.word.status(seen.generation) != slot_status::live) {
      return;
    }
    queued = static_cast<const server_core*>(behaviour)->queued();
    type = type_of_resident(s).type;
  }
  if (queued <= how_.long_inbox / 2) {
    seen.told_inbox = false;
  } else if (queued >= how_.long_inbox && !seen.told_inbox) {
    seen.told_inbox = true;
    tell(runtime, report_kind::long_inbox, s, seen.generation,
         "has " + std::to_string(queued) + " calls and casts queued (" +
             (type != nullptr ? boost::core::demangle(type->name()) : std::string("no class")) +
             "): it is slower than those who send; bound its inbox by server_options, or share its "
             "work out");
  }
}

} // namespace smarm::detail
