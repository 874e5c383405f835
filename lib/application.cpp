// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/application.hpp>

#include "supervised_child.hpp"

#include <smarm/channel.hpp>
#include <smarm/detail/child_launcher.hpp>
#include <smarm/detail/deadline.hpp>
#include <smarm/error.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/monitor.hpp>
#include <smarm/select.hpp>
#include <smarm/selector.hpp>
#include <smarm/signal_watch.hpp>
#include <smarm/spawn_options.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/system_error.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <cstdlib>
#include <iostream>
#include <mutex>
#include <optional>
#include <sstream>
#include <utility>

namespace smarm {
namespace {

using steady = std::chrono::steady_clock;
using detail::duration_text;

[[noreturn]] void refuse(const std::string& why) {
  throw boost::system::system_error(make_error_code(errc::invalid_config),
                                    "smarm::application: " + why);
}

void check(const application_options& options, const std::vector<application_root>& roots) {
  if (options.stop_limit.count() < 0 || options.grace.count() < 0) {
    refuse("stop_limit and grace cannot be negative");
  }
  boost::unordered_flat_set<std::string_view> seen;
  for (const application_root& r : roots) {
    if (r.id.empty()) {
      refuse("a root has no id");
    }
    if (!seen.insert(r.id).second) {
      refuse("there are two roots \"" + r.id + '"');
    }
    if (!r.start) {
      refuse("root \"" + r.id + "\" has no start");
    }
    if (r.start_limit.count() <= 0) {
      refuse("start_limit of root \"" + r.id + "\" is not positive");
    }
  }
}

[[nodiscard]] steady::time_point after(std::chrono::nanoseconds limit) noexcept {
  return steady::time_point(std::chrono::nanoseconds(detail::deadline_after(limit)));
}

// The number of an errc. Not one: a result of an error code could not tell one from the other.
using start_answer = int;

} // namespace

// Shared with the application's actor, whose members are below.
class application::state {
public:
  state(application_options o, std::vector<application_root> r)
      : options(std::move(o)), roots(std::move(r)) {}

  // False: it runs, or nobody has waited for its end.
  [[nodiscard]] bool reserve() {
    const std::lock_guard guard(lock);
    return !std::exchange(running, true);
  }
  void release() {
    const std::lock_guard guard(lock);
    running = false;
    cause.clear();
  }

  boost::system::result<void> start(const std::shared_ptr<state>& self, const runtime_handle& in);
  void request_stop(std::string_view why);
  void log(const std::string& line) const;
  void log(const stop_report& r) const;

  const application_options options;
  const std::vector<application_root> roots;
  // The actor's until it has ended, then of whoever waits for that.
  stop_report report;
  join_handle handle;

private:
  struct running_root {
    const application_root* what;
    detail::running_child child;
    monitor_ref end; // of nobody: it is still in its init
  };
  using running_roots = std::vector<running_root>;

  void live(sender<start_answer> starter, receiver<int> hurried);
  [[nodiscard]] bool start_all(running_roots& up);
  void wait_for_an_end(running_roots& up);
  void stop_all(running_roots& up, receiver<int>& hurried);
  void stop_one(running_root& r, receiver<int>& hurried, steady::time_point deadline,
                std::optional<steady::time_point>& last);

  std::mutex lock; // for a few assignments at a time, and never across a wait
  bool running = false;
  std::string cause; // empty: nobody has asked it to stop
  runtime_handle runtime;
  pid actor;         // none: it has not begun
  sender<int> hurry; // the actor listens while it stops
};

// ---- from outside

boost::system::result<void> application::state::start(const std::shared_ptr<state>& self,
                                                      const runtime_handle& in) {
  auto [starter, started] = channel<start_answer>();
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

void application::state::log(const std::string& line) const {
  const std::string whole = options.name + ": " + line;
  if (!options.log) {
    std::cerr << whole + '\n'; // in one piece
    return;
  }
  try {
    options.log(whole);
  } catch (const std::exception&) { // the program's end does not depend on its log
  }
}

void application::state::log(const stop_report& r) const {
  std::ostringstream text;
  text << r;
  if (!options.log) {
    std::cerr << std::move(text).str();
    return;
  }
  std::istringstream lines(std::move(text).str());
  for (std::string line; std::getline(lines, line);) {
    try {
      options.log(line);
    } catch (const std::exception&) { // as above
    }
  }
}

// ---- in its actor

void application::state::live(sender<start_answer> starter, receiver<int> hurried) {
  report = {.application = options.name};
  running_roots up;
  up.reserve(roots.size());
  auto error = static_cast<start_answer>(errc::start_failed);
  bool asked = false;
  try {
    if (start_all(up)) {
      error = 0;
      (void)starter.send(error);
      wait_for_an_end(up);
    }
  } catch (const stop_unwind&) {
    asked = true;
  } catch (const std::exception& e) { // no memory: those that are up are not left behind
    report.failed = true;
    report.cause = e.what();
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
    } catch (const std::exception& e) {
      why = e.what();
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
    } catch (const std::exception&) { // no memory to see to it, or to tell of it
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

// ---- the class

application::application(application_options options, std::vector<application_root> roots) {
  check(options, roots);
  state_ = std::make_shared<state>(std::move(options), std::move(roots));
}

application::~application() {
  if (!state_->handle.joinable()) {
    return;
  }
  state_->request_stop("its object goes");
  std::optional<disable_stop> however_its_owner_ends;
  if (this_actor::is_actor()) {
    however_its_owner_ends.emplace();
  }
  (void)state_->handle.join();
}

boost::system::result<void> application::start(const runtime_handle& runtime) {
  if (detail::would_block_here()) {
    return make_error_code(errc::would_block_scheduler);
  }
  if (!state_->reserve()) {
    return make_error_code(errc::already_started);
  }
  try {
    return state_->start(state_, runtime);
  } catch (...) {
    if (!state_->handle.joinable()) { // else it runs, and it is the caller that was stopped
      state_->release();
    }
    throw;
  }
}

void application::request_stop(std::string_view cause) { state_->request_stop(cause); }

stop_report application::wait() {
  (void)state_->handle.join();
  stop_report told = std::move(state_->report);
  state_->release();
  return told;
}

int application::run(config settings) {
  if (!state_->reserve()) {
    throw boost::system::system_error(make_error_code(errc::already_started),
                                      "smarm::application::run");
  }
  // From here on a signal is heard of, also before the first root is started.
  std::optional<signal_watch> signals;
  try {
    signals.emplace(state_->options.stop_signals, [this](int signal, unsigned count) {
      if (count > 2) {
        end_by_signal(signal);
      }
      state_->log(signal_name(signal) + (count > 1 ? " again: it has to hurry" : ""));
      state_->request_stop(signal_name(signal));
    });
    settings.destructor_grace = {};
    class runtime rt(std::move(settings));
    rt.start();
    const auto started = state_->start(state_, rt.handle());
    stop_report told{.application = state_->options.name, .failed = true};
    if (started || state_->handle.joinable()) {
      told = wait();
    } else {
      told.cause = started.error().message();
    }
    told.survivors = rt.shutdown(state_->options.grace);
    state_->log(told);
    return told.clean() ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (...) {
    state_->release();
    throw;
  }
}

} // namespace smarm
