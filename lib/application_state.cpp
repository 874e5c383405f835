// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "application_state.hpp"

#include "duration_text.hpp"

#include <smarm/detail/deadline.hpp>
#include <smarm/error.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/select.hpp>
#include <smarm/selector.hpp>
#include <smarm/spawn_options.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <exception>
#include <iostream>
#include <sstream>

namespace smarm {
namespace {

using steady = std::chrono::steady_clock;
using detail::duration_text;

[[nodiscard]] steady::time_point after(std::chrono::nanoseconds limit) noexcept {
  return steady::time_point(std::chrono::nanoseconds(detail::deadline_after(limit)));
}

} // namespace

// ---- from outside

boost::system::result<void> application::state::start(const std::shared_ptr<state>& self,
                                                      const runtime_handle& in) {
  auto [starter, started] = channel<int>();
  auto [to, hurried] = channel<int>();
  auto spawned = in.try_spawn({.label = options.name}, [self, starter = std::move(starter),
                                                        hurried = std::move(hurried)]() mutable {
    self->live(std::move(starter), std::move(hurried));
  });
  if (!spawned) {
    release();
    return spawned.error();
  }
  {
    const std::lock_guard guard(lock);
    handle = *std::move(spawned);
    runtime = in;
    actor = handle.id();
    hurry = std::move(to);
    if (!cause.empty()) { // asked before there was somebody to ask
      (void)runtime.request_shutdown(actor);
    }
  }
  const auto answer = started.recv();
  if (!answer) {
    return answer.error() == errc::closed ? make_error_code(errc::start_failed) : answer.error();
  }
  if (*answer != 0) {
    return make_error_code(static_cast<errc>(*answer));
  }
  return {};
}

void application::state::request_stop(std::string_view why) {
  const std::lock_guard guard(lock);
  if (!running) {
    return;
  }
  if (cause.empty()) {
    cause = why.empty() ? "asked to" : why;
    if (actor.is_valid()) {
      (void)runtime.request_shutdown(actor);
    }
  } else {
    (void)hurry.send(1);
  }
}

void application::state::write(const std::string& line) const {
  if (!options.log) {
    std::cerr << line + '\n'; // in one piece
    return;
  }
  try {
    options.log(line);
  } catch (const stop_unwind&) {
    throw;
  } catch (...) { // the program's life does not depend on its log
  }
}

void application::state::log(const std::string& line) const { write(options.name + ": " + line); }

void application::state::log(const stop_report& r) const {
  std::ostringstream text;
  text << r;
  std::istringstream lines(std::move(text).str());
  for (std::string line; std::getline(lines, line);) {
    write(line);
  }
}

// ---- in its actor

void application::state::live(sender<int> starter, receiver<int> hurried) {
  report = {.application = options.name};
  running_roots up;
  up.reserve(roots.size());
  auto error = static_cast<int>(errc::start_failed);
  bool asked = false;
  try {
    if (start_all(up)) {
      error = 0;
      (void)starter.send(error);
      wait_for_an_end(up);
    }
  } catch (const stop_unwind&) {
    asked = true;
  } catch (...) { // no memory: those that are up are not left behind
    report.failed = true;
    report.cause = exit_reason::failed(std::current_exception()).text();
  }
  const disable_stop until_all_have_ended;
  if (asked) {
    const std::lock_guard guard(lock);
    report.cause = cause.empty() ? "the runtime ends" : cause;
  }
  stop_all(up, hurried);
  if (error != 0) {
    (void)starter.send(error);
  }
}

// False: one could not be started.
bool application::state::start_all(running_roots& up) {
  for (const application_root& r : roots) {
    running_root& fresh = up.emplace_back(running_root{&r, {}, {}});
    const auto begin = steady::now();
    const std::int64_t deadline =
        r.start_limit == infinity ? detail::no_deadline : detail::deadline_after(r.start_limit);
    errc error = errc::start_failed;
    std::string why;
    try {
      error = r.start.launcher()->launch(r.id, deadline, fresh.child);
    } catch (const stop_unwind&) {
      throw;
    } catch (...) {
      why = exit_reason::failed(std::current_exception()).text();
    }
    if (error == errc{}) {
      fresh.end = monitor(fresh.child.actor.id());
      log("started " + r.id + " in " + duration_text(steady::now() - begin));
      continue;
    }
    if (error == errc::timed_out) {
      why = "its init took longer than its start_limit of " + duration_text(r.start_limit);
    } else if (fresh.child.actor.joinable()) { // it has ended, or is about to
      why = fresh.child.actor.join().text();
    } else if (why.empty()) {
      why = make_error_code(error).message();
    }
    report.failed = true;
    report.cause = "root \"" + r.id + "\" did not start: " + why;
    return false;
  }
  return true;
}

void application::state::wait_for_an_end(running_roots& up) {
  if (up.empty()) {
    report.cause = "it has no roots";
    return;
  }
  selector ends;
  for (running_root& r : up) {
    ends.add(r.end.inbox());
  }
  running_root& first = up[ends.wait()];
  const exit_reason how = first.child.actor.join();
  report.failed = how != exit_kind::normal;
  report.cause = "root \"" + first.what->id + "\" has ended: " + how.text();
  report.roots.push_back({.id = first.what->id, .reason = how});
}

void application::state::stop_all(running_roots& up, receiver<int>& hurried) {
  log("stops within " + duration_text(options.stop_limit) + ": " + report.cause);
  const auto begin = steady::now();
  const auto deadline = after(options.stop_limit);
  std::optional<steady::time_point> last; // for those that are told to stop; empty: nobody is yet
  for (; !up.empty(); up.pop_back()) {
    running_root& r = up.back();
    if (!r.child.actor.joinable()) {
      continue; // it is its end that ends the others
    }
    try {
      stop_one(r, hurried, deadline, last);
    } catch (...) { // no memory to see to it, or to tell of it
      report.failed = true;
      (void)smarm::request_shutdown(r.child.actor.id());
    }
  }
  report.took = steady::now() - begin;
}

void application::state::stop_one(running_root& r, receiver<int>& hurried,
                                  steady::time_point deadline,
                                  std::optional<steady::time_point>& last) {
  const pid who = r.child.actor.id();
  if (!r.end.target().is_valid()) {
    r.end = monitor(who);
  }
  stop_report::root told{.id = r.what->id};
  const auto begin = steady::now();
  (void)smarm::request_shutdown(who);
  if (!last) {
    const auto which = select_until(deadline, r.end.inbox(), hurried);
    if (!which || *which != 0) {
      last = after(options.grace);
      log(told.id + " has to hurry, after " + duration_text(steady::now() - begin));
    }
  }
  if (last) {
    (void)smarm::request_stop(who);
    told.in_time = false;
  }
  if (auto how = r.child.actor.join_until(last.value_or(steady::time_point::max()))) {
    told.reason = *std::move(how);
  } else {
    told.ended = false;
    r.child.actor.detach();
  }
  told.took = steady::now() - begin;
  log(told.id + (told.ended ? " has ended in " : " has NOT ended in ") + duration_text(told.took));
  report.roots.push_back(std::move(told));
}

} // namespace smarm
