// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the runtime tells the operator: one report for each abnormal ending of an actor, and one for
// each trouble that no caller can be told of.

#ifndef SMARM_REPORT_HPP
#define SMARM_REPORT_HPP

#include <smarm/exit_reason.hpp>
#include <smarm/pid.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace smarm {

//[report_outline
enum class report_kind : std::uint8_t {
  actor_failed,    // an exception left the actor
  actor_stopped,   // the actor was stopped
  out_of_stacks,   // a ready actor waits because the system gives no more stacks
  callback_failed, // an exception left a callback, an Asio handler, or a blocking_detached call that
                   // nobody waits for; or a timer's message was dropped
  zombie,          // an actor, or a blocking_detached call that it has left, did not end with its runtime
  child_restarted, // a supervisor has started a child anew, or is about to
  child_abandoned, // a child did not end when its supervisor had stopped it
  gave_up,         // a supervisor has ended, since its children failed too often
  accept_failed,   // a server gets no connections, as it has no descriptors left, and goes on trying
  trace_not_written, // see config::trace_file
  // What a watchdog has seen, see watchdog_options.hpp.
  long_slice,
  slow_handler,
  blocked_handler,
  long_inbox,
  stack_near_limit,
  unanswered_stop,
  stuck,
  wake_storm,
};

struct report {
  report_kind kind = report_kind::actor_failed;
  pid actor = {};        // whom it is about; none if it is about the runtime
  pid parent = {};       // who spawned it
  std::string label = {}; // as given in spawn_options, else empty
  exit_reason reason = {}; // of an ending
  std::string text = {};   // what happened and, where there is one, the remedy
  std::string details = {}; // of a server: what it was handling, how long its queue was, its state
};

// Called on the stack of the actor that ends, or of whoever met the trouble, with no lock held and
// stops masked. It may send, cast and log; it should be short. What it throws is counted in
// runtime_stats::sink_failures and otherwise ignored.
using report_sink = std::function<void(const report&)>;
//]

// Writes the report as one line to standard error; what an empty sink does.
void write_report(const report& r);

[[nodiscard]] const char* to_string(report_kind kind) noexcept;

} // namespace smarm

#endif
