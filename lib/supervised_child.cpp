// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "supervised_child.hpp"

#include <smarm/detail/abandon.hpp>
#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/detail/survey.hpp>
#include <smarm/detail/timers.hpp>
#include <smarm/report.hpp>
#include <smarm/runtime.hpp>
#include <smarm/this_actor.hpp>

#include <algorithm>
#include <utility>

namespace smarm {

const char* to_string(restart r) noexcept {
  switch (r) {
  case restart::permanent: return "permanent";
  case restart::transient: return "transient";
  case restart::temporary: return "temporary";
  }
  return "unknown";
}

const char* to_string(child_type t) noexcept {
  return t == child_type::supervisor ? "supervisor" : "worker";
}

const char* to_string(child_state s) noexcept {
  switch (s) {
  case child_state::running: return "running";
  case child_state::restarting: return "restarting";
  case child_state::ended: return "ended";
  }
  return "unknown";
}

namespace detail {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

slot& slot_of(pid actor) noexcept {
  return *current_scheduler()->runtime.slots.find(actor.index());
}

void begin_stage(supervised_child& c, std::chrono::nanoseconds limit) noexcept {
  c.deadline = limit == infinity ? no_deadline : deadline_after(limit);
}

} // namespace

std::chrono::nanoseconds supervised_child::shutdown() const noexcept {
  return spec.shutdown.value_or(type() == child_type::supervisor ? infinity : nanoseconds(5s));
}

std::chrono::nanoseconds supervised_child::grace() const noexcept {
  return spec.grace.value_or(type() == child_type::supervisor ? infinity : nanoseconds(1s));
}

child_info supervised_child::info() const {
  return {.id = spec.id,
          .actor = state == child_state::running ? actor() : pid::none(),
          .state = state,
          .type = type(),
          .restart = spec.restart,
          .restarts = restarts};
}

boost::system::result<any_server> supervised_child::server_of(type_key server_class) const {
  if (state != child_state::running) {
    return make_error_code(errc::no_process);
  }
  if (spec.start.launcher()->server_class() != server_class) {
    return make_error_code(errc::no_channel);
  }
  return now.server;
}

void ask_to_end(supervised_child& c, std::chrono::nanoseconds limit) noexcept {
  if (limit.count() <= 0) {
    stop_child(c);
    return;
  }
  const pid actor = c.now.actor.id();
  begin_stage(c, limit);
  (void)shut_down(slot_of(actor), actor, current_scheduler()->current.load()->id(),
                  shutdown_asked::directly);
}

void stop_child(supervised_child& c) noexcept {
  const pid actor = c.now.actor.id();
  begin_stage(c, c.grace());
  // Once more than it was asked: the waits of its terminate are to be stop points, too.
  (void)insist_on_stop(slot_of(actor), actor);
  (void)insist_on_stop(slot_of(actor), actor);
}

bool join_child(supervised_child& c, exit_reason& how) {
  if (c.deadline == no_deadline) {
    how = c.now.actor.join();
  } else {
    auto ended = c.now.actor.join_until(
        std::chrono::steady_clock::time_point(std::chrono::nanoseconds(c.deadline)));
    if (!ended) {
      return false; // an actor that waits can only be too late
    }
    how = *std::move(ended);
  }
  c.now = {};
  return true;
}

bool abandon_child(supervised_child& c, exit_reason& how) noexcept {
  const pid actor = c.now.actor.id();
  slot& where = slot_of(actor);
  runtime_state& runtime = current_scheduler()->runtime;
  how = exit_kind::stopped;
  if (server_core* const server = any_server_access::core(c.now.server)) {
    server->close();
  }
  const bool given_up = abandon(where, actor, how);
  if (!given_up) {
    const disable_stop its_last_steps_are_few;
    how = c.now.actor.join();
  } else {
    runtime.tell_made([&] {
      const std::string text =
          "abandoned: it did not end within " + duration_text(c.grace()) + " of being stopped; it ";
      const std::string doing = doing_of(runtime, where, actor);
      return report{.kind = report_kind::child_abandoned,
                    .actor = actor,
                    .parent = current_scheduler()->current.load()->id(),
                    .label = c.spec.id,
                    .reason = exit_kind::stopped,
                    .text = text + (doing.empty() ? "has ended since" : doing)};
    });
  }
  c.now = {};
  return given_up;
}

std::string name_of(const supervised_child& c) { return "child \"" + c.spec.id + '"'; }

std::string restarts_text(std::size_t n) {
  return std::to_string(n) + (n == 1 ? " restart" : " restarts");
}

} // namespace detail
} // namespace smarm
