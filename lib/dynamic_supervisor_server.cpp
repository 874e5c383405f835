// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "dynamic_supervisor_server.hpp"

#include "supervisor_checks.hpp"

#include <smarm/error.hpp>
#include <smarm/exit_reason.hpp>

#include <memory>
#include <ostream>
#include <utility>

namespace smarm::detail {
namespace {

supervisor_options as_usual(dynamic_supervisor_options options) {
  return {.intensity = options.intensity,
          .period = options.period,
          .backoff = options.backoff,
          .name = std::move(options.name),
          .label = std::move(options.label),
          .clock = std::move(options.clock)};
}

} // namespace

dynamic_supervisor_server::dynamic_supervisor_server(dynamic_supervisor_options options)
    : basic_supervisor(as_usual(options)), max_children_(options.max_children) {}

void dynamic_supervisor_server::terminate(const exit_reason&) noexcept {
  end_all([this] {
    for (supervised_child& c : children_) {
      if (c.has_actor()) {
        ask_to_end(c, c.shutdown());
      }
    }
    // Those that are late are stopped as soon as that is seen, and have their grace side by side.
    children_.sort([](const supervised_child& a, const supervised_child& b) {
      return a.deadline < b.deadline;
    });
    for (supervised_child& c : children_) {
      if (c.has_actor() && !join_child(c, c.last) && c.shutdown().count() > 0) {
        stop_child(c); // else it was stopped at once, and has had its grace
      }
    }
    for (supervised_child& c : children_) {
      if (c.has_actor() && !join_child(c, c.last) && abandon_child(c, c.last)) {
        ++abandoned_;
      }
    }
  });
}

void dynamic_supervisor_server::describe(std::ostream& out) const { describe_children(out); }

dynamic_supervisor_server::start_answer
dynamic_supervisor_server::handle_call(start_child&& request) {
  return answer_start<start_answer>(child_trouble(options(), request.spec, false),
                                    [&] { return start(std::move(request.spec)); });
}

boost::system::result<dynamic_supervisor_server::started>
dynamic_supervisor_server::start(child_spec spec) {
  if (present_ >= max_children_) {
    return make_error_code(errc::too_many_children);
  }
  supervised_child& c = add(std::make_unique<supervised_child>(std::move(spec)));
  ++present_; // what follows tells of its errors by a value
  const errc error = launch(c);
  if (error == errc{}) {
    return started{c.actor(), c.now.server};
  }
  ended_for_good(c);
  return error == errc::start_ignored ? result<started>(started()) : make_error_code(error);
}

boost::system::result<void>
dynamic_supervisor_server::handle_call(const terminate_child& request) {
  supervised_child* const c = find(request.actor);
  if (c == nullptr) {
    return make_error_code(errc::no_child);
  }
  if (c->has_actor()) { // else it waits for its restart
    end(*c);
  }
  ended_for_good(*c);
  return {};
}

boost::system::result<any_server>
dynamic_supervisor_server::handle_call(const find_server& request) {
  const supervised_child* const c = find(request.actor);
  return c != nullptr ? c->server_of(request.server_class)
                      : result<any_server>(make_error_code(errc::no_child));
}

void dynamic_supervisor_server::ended_for_good(supervised_child& c) noexcept {
  remove(c);
  --present_;
}

void dynamic_supervisor_server::start_group(supervised_child& c) {
  ++c.restarts;
  const errc error = launch(c);
  if (error == errc::start_ignored) {
    ended_for_good(c);
  } else if (error != errc{}) {
    c.state = child_state::restarting;
    retry_after({}, c, false);
  }
}

} // namespace smarm::detail
