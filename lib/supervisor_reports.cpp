// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What supervisors tell the operator.

#include "basic_supervisor.hpp"

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/report.hpp>

#include <string>

namespace smarm::detail {

void note_child(pid actor, std::uint64_t restarts) noexcept {
  if (slot* const s = current_scheduler()->runtime.slots.find(actor.index())) {
    note_restarts(*s, actor, restarts);
  }
}

void report_not_made(const supervised_child& c) noexcept {
  scheduler& here = *current_scheduler();
  here.runtime.tell_made([&] {
    return report{.kind = report_kind::callback_failed,
                  .actor = here.current.load()->id(),
                  .parent = {},
                  .label = c.spec.id,
                  .reason = c.last,
                  .text = "cannot make " + name_of(c) + " to start it: " + c.last.text()};
  });
}

void report_restart(const supervised_child& c, const std::string& more) noexcept {
  scheduler& here = *current_scheduler();
  if (is_tracing()) {
    trace_restart(c.spec.id);
  }
  here.runtime.tell_made([&] {
    return report{.kind = report_kind::child_restarted,
                  .actor = here.current.load()->id(),
                  .parent = {},
                  .label = c.spec.id,
                  .reason = c.last,
                  .text = "restarts " + name_of(c) + more + ", which ended: " + c.last.text()};
  });
}

void report_giving_up(const supervised_child& c, const restart_window& window,
                      const supervisor_options& options) noexcept {
  scheduler& here = *current_scheduler();
  here.runtime.tell_made([&] {
    return report{.kind = report_kind::gave_up,
                  .actor = here.current.load()->id(),
                  .parent = {},
                  .label = c.spec.id,
                  .reason = c.last,
                  .text = "gives up: " + name_of(c) + " ended once more, after " +
                          restarts_text(window.size()) + " within " +
                          duration_text(options.period) + ", and its intensity is " +
                          std::to_string(options.intensity) + "; it ended: " + c.last.text()};
  });
}

} // namespace smarm::detail
