// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/report.hpp>

#include <smarm/detail/utf8_text.hpp>

#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace smarm {

const char* to_string(report_kind kind) noexcept {
  switch (kind) {
  case report_kind::actor_failed: return "failed";
  case report_kind::actor_stopped: return "stopped";
  case report_kind::out_of_stacks: return "out of stacks";
  case report_kind::callback_failed: return "callback failed";
  case report_kind::zombie: return "zombie";
  case report_kind::child_restarted: return "restarted";
  case report_kind::child_abandoned: return "abandoned";
  case report_kind::gave_up: return "gave up";
  case report_kind::accept_failed: return "cannot accept";
  case report_kind::trace_not_written: return "trace not written";
  case report_kind::long_slice: return "long slice";
  case report_kind::slow_handler: return "slow handler";
  case report_kind::blocked_handler: return "blocked handler";
  case report_kind::long_inbox: return "long inbox";
  case report_kind::stack_near_limit: return "stack near its limit";
  case report_kind::unanswered_stop: return "unanswered stop";
  case report_kind::stuck: return "stuck";
  case report_kind::wake_storm: return "wake storm";
  }
  return "unknown";
}

void write_report(const report& r) {
  std::ostringstream line;
  line << "smarm: ";
  if (r.actor.is_valid()) {
    line << "actor " << r.actor;
    if (!r.label.empty()) {
      line << " \"" << detail::printable_text(r.label) << '"';
    }
    line << ": ";
  }
  line << (r.text.empty() ? to_string(r.kind)
                          : detail::printable_text(r.text, detail::line_ends::left));
  if (!r.details.empty()) {
    std::string details = r.details;
    std::replace(details.begin(), details.end(), '\n', ' ');
    line << "; " << detail::printable_text(details);
  }
  line << '\n';
  // One write, so that lines of several schedulers do not mix.
  const std::string text = line.str();
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

} // namespace smarm
