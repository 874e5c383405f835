// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Restarts. When a child ends, and is to be started anew, that is counted; its group is ended in reverse
// order, that is all its siblings, or those after it, or none; then the group is started in order, at
// once or after the back-off. If one of the group cannot be started, those after it wait, and it is
// tried again as if it had ended, which is counted as well. So there is at most one child of a group
// that is to be tried again, and the others that wait come after it.

#include "supervisor_server.hpp"

#include "supervisor_checks.hpp"

#include <smarm/error.hpp>
#include <smarm/exit_reason.hpp>

#include <iterator>
#include <memory>
#include <ostream>
#include <utility>

namespace smarm::detail {

supervisor_server::supervisor_server(supervisor_options options, std::vector<child_spec> specs)
    : basic_supervisor(std::move(options)), specs_(std::move(specs)) {}

init_result supervisor_server::init() {
  for (child_spec& spec : std::exchange(specs_, {})) {
    supervised_child& c = insert(std::move(spec));
    const errc error = launch(c);
    if (error == errc{}) {
      continue;
    }
    if (error != errc::start_ignored) {
      return init_result::stop(
          exit_reason::failed(name_of(c) + " did not start: " + c.last.text()));
    }
    if (c.spec.restart == restart::temporary) {
      forget(c);
    }
  }
  return init_result::ok();
}

void supervisor_server::terminate(const exit_reason&) noexcept {
  end_all([this] { end_in_reverse(children_.begin(), nullptr, whom::everybody); });
}

void supervisor_server::describe(std::ostream& out) const {
  out << to_string(options().strategy) << ", ";
  describe_children(out);
}

// ---- what is asked

supervisor_server::start_answer supervisor_server::handle_call(start_child&& request) {
  std::string trouble =
      request.spec.id.empty()
          ? "id is empty; it is what the child is asked for by"
          : child_trouble(options(), request.spec,
                          options().strategy != strategy::one_for_one && !children_.empty());
  return answer_start<start_answer>(std::move(trouble),
                                    [&] { return start(std::move(request.spec)); });
}

boost::system::result<pid> supervisor_server::start(child_spec spec) {
  if (const supervised_child* there = find_id(spec.id)) {
    return make_error_code(there->state == child_state::ended ? errc::already_present
                                                              : errc::already_started);
  }
  supervised_child& c = insert(std::move(spec));
  const errc error = launch(c);
  if (error == errc{}) {
    return c.actor();
  }
  if (error != errc::start_ignored || c.spec.restart == restart::temporary) {
    forget(c);
  }
  return error == errc::start_ignored ? result<pid>(pid::none()) : make_error_code(error);
}

boost::system::result<void> supervisor_server::handle_call(const terminate_child& request) {
  supervised_child* const c = find_id(request.id);
  if (c == nullptr) {
    return make_error_code(errc::no_child);
  }
  if (c->has_actor()) {
    end(*c);
  } else if (c->state == child_state::restarting) {
    c->state = child_state::ended;
    pass_retry_on(*c);
  }
  if (c->spec.restart == restart::temporary) {
    forget(*c);
  }
  return {};
}

boost::system::result<pid> supervisor_server::handle_call(const restart_child& request) {
  supervised_child* const c = find_id(request.id);
  if (c == nullptr) {
    return make_error_code(errc::no_child);
  }
  if (c->state != child_state::ended) {
    return make_error_code(c->state == child_state::running ? errc::already_started
                                                            : errc::child_restarting);
  }
  const errc error = launch(*c);
  return error == errc{} || error == errc::start_ignored ? result<pid>(c->actor())
                                                         : make_error_code(error);
}

boost::system::result<void> supervisor_server::handle_call(const delete_child& request) {
  supervised_child* const c = find_id(request.id);
  if (c == nullptr) {
    return make_error_code(errc::no_child);
  }
  if (c->state != child_state::ended) {
    return make_error_code(c->state == child_state::running ? errc::already_started
                                                            : errc::child_restarting);
  }
  forget(*c);
  return {};
}

boost::system::result<child_spec> supervisor_server::handle_call(const get_childspec& request) {
  const supervised_child* const c = find_id(request.id);
  return c != nullptr ? result<child_spec>(c->spec) : make_error_code(errc::no_child);
}

boost::system::result<any_server> supervisor_server::handle_call(const find_server& request) {
  const supervised_child* const c = find_id(request.id);
  return c != nullptr ? c->server_of(request.server_class)
                      : result<any_server>(make_error_code(errc::no_child));
}

// ---- what happens

void supervisor_server::ended_for_good(supervised_child& c) {
  const bool significant = c.spec.significant;
  if (c.spec.restart == restart::temporary) {
    forget(c);
  }
  if (!significant || options().auto_shutdown == auto_shutdown::never) {
    return;
  }
  if (options().auto_shutdown == auto_shutdown::all_significant) {
    for (const supervised_child& other : children_) {
      if (other.spec.significant && other.state != child_state::ended) {
        return;
      }
    }
  }
  stop(exit_kind::shutdown);
}

// One of its group may have been about to be tried again; now it is this one.
void supervisor_server::end_group(supervised_child& c) {
  end_in_reverse(first_of_group(c), &c, whom::everybody);
}

// Somebody may have started some of the group while it waited; without it they are not to run.
void supervisor_server::end_again(supervised_child& c) {
  end_in_reverse(first_of_group(c), &c, whom::who_runs);
}

void supervisor_server::start_group(supervised_child& c) {
  if (options().strategy == strategy::one_for_one) {
    ++c.restarts;
    if (const errc error = launch(c); error != errc{} && error != errc::start_ignored) {
      c.state = child_state::restarting;
      retry_after({}, c, false);
    }
    return;
  }
  for (auto at = first_of_group(c); at != children_.end(); ++at) {
    if (at->state != child_state::restarting) { // somebody has terminated it meanwhile
      continue;
    }
    ++at->restarts;
    if (const errc error = launch(*at); error != errc{} && error != errc::start_ignored) {
      at->state = child_state::restarting;
      retry_after({}, *at, false);
      return;
    }
  }
}

void supervisor_server::pass_retry_on(supervised_child& c) {
  if (c.retry == 0) {
    return;
  }
  cancel_retry(c);
  if (options().strategy == strategy::one_for_one) {
    return;
  }
  for (auto at = std::next(child_list::s_iterator_to(c)); at != children_.end(); ++at) {
    if (at->state == child_state::restarting) {
      retry_after({}, *at, true);
      return;
    }
  }
}

// From that one on. They are to be started again, and so are, for everybody, those that had ended for
// good; but for temporary ones, and for `spared`, which has ended. If that is null nobody is.
void supervisor_server::end_in_reverse(child_list::iterator first, supervised_child* spared,
                                       whom who) {
  const bool all = first == children_.begin(); // the first one may be a temporary one, which goes
  for (auto at = children_.end(); at != (all ? children_.begin() : first);) {
    supervised_child& c = *--at;
    const bool ran = c.has_actor();
    if (&c == spared || (who == whom::who_runs && !ran)) {
      continue;
    }
    cancel_retry(c);
    if (ran) {
      end(c);
    }
    if (spared == nullptr) {
      continue;
    }
    c.state = child_state::restarting;
    if (ran && c.spec.restart == restart::temporary) {
      ++at;
      forget(c);
    }
  }
}

child_list::iterator supervisor_server::first_of_group(supervised_child& c) noexcept {
  switch (options().strategy) {
  case strategy::one_for_all: return children_.begin();
  case strategy::rest_for_one: return child_list::s_iterator_to(c);
  case strategy::one_for_one: break;
  }
  return children_.end();
}

// ---- the children

supervised_child* supervisor_server::find_id(std::string_view id) noexcept {
  const auto at = by_id_.find(id);
  return at != by_id_.end() ? at->second : nullptr;
}

supervised_child& supervisor_server::insert(child_spec spec) {
  auto fresh = std::make_unique<supervised_child>(std::move(spec));
  by_id_.emplace(fresh->spec.id, fresh.get());
  return add(std::move(fresh));
}

void supervisor_server::forget(supervised_child& c) noexcept {
  by_id_.erase(std::string_view(c.spec.id));
  remove(c);
}

} // namespace smarm::detail
