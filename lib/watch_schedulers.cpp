// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Schedulers that are kept from their actors.

#include "watch.hpp"

#include <smarm/detail/parked_stack.hpp>
#include <smarm/detail/runtime_state.hpp>

#include <pthread.h>
#include <time.h>

#include <fstream>

namespace smarm::detail {
namespace {

using namespace std::chrono_literals;

// How long the thread has computed, in nanoseconds; 0 if that cannot be told.
std::int64_t processor_time(pthread_t thread) noexcept {
  clockid_t clock{};
  timespec used{};
  if (::pthread_getcpuclockid(thread, &clock) != 0 || ::clock_gettime(clock, &used) != 0) {
    return 0;
  }
  return std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

// Whether the thread waits in the kernel, see proc(5): not so if it only waits for a processor.
bool is_asleep(int thread_number) {
  std::ifstream stat("/proc/self/task/" + std::to_string(thread_number) + "/stat");
  std::string line;
  std::getline(stat, line);
  const std::size_t name_ends = line.rfind(") "); // the name may have parentheses, too
  if (name_ends == std::string::npos || name_ends + 2 >= line.size()) {
    return false;
  }
  const char state = line[name_ends + 2];
  return state == 'S' || state == 'D';
}

} // namespace

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
  fresh.sleeps = runtime.coordination.counters(s.id).parks.count();
  const bool the_same = fresh.current == seen.current && fresh.generation == seen.generation &&
                        fresh.switches == seen.switches && fresh.last_look == seen.last_look &&
                        fresh.sleeps == seen.sleeps;
  if (!the_same || late) {
    const bool told = the_same && seen.told;
    seen = fresh;
    seen.since = now;
    seen.used = processor_time(s.thread);
    seen.told = told;
    return;
  }
  if (seen.told) {
    return;
  }
  if (!s.is_actor(current)) {
    look_beside_actors(runtime, s, seen, now);
    return;
  }
  const std::int64_t lasted = now - seen.since;
  if (how_.long_slice > 0ns && lasted >= how_.long_slice.count()) {
    seen.told = true;
    tell(report_kind::long_slice, *current, seen.generation,
         "has been running on scheduler " + std::to_string(s.id) + " for " + span_text(lasted) +
             " without a stop point: add this_actor::checkpoint() to its loop, or move a blocking "
             "call off the scheduler" +
             lines_of(runtime.backtrace_on(s)));
  }
}

// On nobody's behalf for long: it sleeps, as it should if there is nothing to do, or computes, or is blocked
// somewhere. What it has computed is known, and on a machine that has too much to do time passes without it.
// Whether it sleeps is found out by a wake: then it looks around and sleeps again.
void watch::look_beside_actors(runtime_state& runtime, scheduler& s, scheduler_seen& seen,
                               std::int64_t now) {
  const std::int64_t limit = how_.slow_handler.count();
  const std::int64_t lasted = now - seen.since;
  if (limit == 0 || lasted < limit) {
    return;
  }
  const auto found = [&](const std::string& what, std::int64_t span, const char* remedy) {
    seen.told = true;
    found_.push_back({.kind = report_kind::slow_handler,
                      .text = "scheduler " + std::to_string(s.id) + " has " + what + " for " +
                              span_text(span) +
                              " on no actor's behalf, in a handler or in run_on_thread_stack: " +
                              remedy + lines_of(runtime.backtrace_on(s))});
  };
  if (const std::int64_t computed = processor_time(s.thread) - seen.used; computed >= limit) {
    found("computed", computed, "let it wake an actor that does the work");
  } else if (seen.called_at == 0) {
    seen.called_at = now;
    runtime.coordination.wake(s.id);
  } else if (is_asleep(s.thread_number) &&
             runtime.coordination.counters(s.id).parks.count() == seen.sleeps) {
    found("been blocked", lasted,
          "let it wake an actor that calls what blocks by smarm::blocking");
  }
}

} // namespace smarm::detail
