// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What all supervisors have in common: starting a child, ending it, when it is to be started anew, when
// to give up.

#ifndef SMARM_LIB_BASIC_SUPERVISOR_HPP
#define SMARM_LIB_BASIC_SUPERVISOR_HPP

#include "supervised_child.hpp"

#include <smarm/child_info.hpp>
#include <smarm/detail/restart_window.hpp>
#include <smarm/detail/simulation.hpp>
#include <smarm/down.hpp>
#include <smarm/error.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/pid.hpp>
#include <smarm/report.hpp>
#include <smarm/supervisor_options.hpp>
#include <smarm/this_actor.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace smarm::detail {

// It is to be started anew after that end.
[[nodiscard]] inline bool starts_anew(restart when, const exit_reason& how) noexcept {
  return when == restart::permanent || (when == restart::transient && !how.is_clean());
}

// A failure with the text that this makes, or with what making it throws.
template <class Make>
[[nodiscard]] exit_reason failed_with(Make make) noexcept {
  try {
    return exit_reason::failed(make());
  } catch (...) {
    return exit_reason::failed(std::current_exception());
  }
}

// For those who look at the child from outside, of the calling supervisor.
void note_child(pid actor, std::uint64_t restarts) noexcept;

// Tells the operator. Of the calling supervisor.
void report_not_made(const supervised_child& c) noexcept;
void report_restart(const supervised_child& c, const std::string& more) noexcept;
void report_giving_up(const supervised_child& c, const restart_window& window,
                      const supervisor_options& options) noexcept;

// What a supervisor tells itself, at once or later: a child is to be tried again. At once means after
// what was asked before, so that one that never starts does not keep all others waiting.
struct retry_child {
  std::uint64_t number; // of the retry
  bool counted;         // that this restart is one was seen to already
};

// Derived says what becomes of others when a child is started anew, or has ended for good:
//   void end_group(c)        who is to be started anew with it is ended
//   void end_again(c)        the same where that was done before, and c has waited since
//   void start_group(c)      it is started, with those; what cannot be started is tried again
//   void ended_for_good(c)   it will not be started anew
template <class Derived>
class basic_supervisor : public gen_server<Derived> {
public:
  static constexpr behaviour_kind behaviour = behaviour_kind::supervisor;

  void handle_down(const down& d) {
    supervised_child* const c = find(d.actor);
    if (c == nullptr || !c->has_actor()) { // or its end was seen to already
      return;
    }
    c->last = c->now.actor.join();
    c->now = {};
    if (starts_anew(c->spec.restart, c->last)) {
      c->state = child_state::restarting;
      start_anew(*c);
    } else {
      c->state = child_state::ended;
      derived().ended_for_good(*c);
    }
  }
  void handle_timer(const retry_child& retry) { try_again(retry); }
  void handle_cast(const retry_child& retry) { try_again(retry); }

protected:
  explicit basic_supervisor(supervisor_options options)
      : options_(std::move(options)), window_(options_.intensity, options_.period),
        random_(static_cast<std::minstd_rand::result_type>(random_seed())) {}
  ~basic_supervisor() { children_.clear_and_dispose(std::default_delete<supervised_child>()); }

  [[nodiscard]] const supervisor_options& options() const noexcept { return options_; }

  // Last in order.
  supervised_child& add(std::unique_ptr<supervised_child> fresh) noexcept {
    children_.push_back(*fresh);
    return *fresh.release();
  }
  // It has no actor.
  void remove(supervised_child& c) noexcept {
    cancel_retry(c);
    by_actor_.erase(c.known_as);
    children_.erase_and_dispose(child_list::s_iterator_to(c),
                                std::default_delete<supervised_child>());
  }

  // Whose actor that is or, as long as there is no next one, was. Null: nobody's.
  [[nodiscard]] supervised_child* find(pid actor) noexcept {
    const auto at = by_actor_.find(actor);
    return at != by_actor_.end() ? at->second : nullptr;
  }

  // Starts a child that has no actor. errc{}: it runs. Else it has ended, and how is in `last`.
  // Suspends, a stop point, after which it may have an actor; throws nothing else.
  errc launch(supervised_child& c) {
    errc error{};
    try {
      const auto limit = c.spec.start_limit;
      error = c.spec.start.launcher()->launch(
          c.spec.id, limit == infinity ? no_deadline : deadline_after(limit), c.now);
    } catch (const stop_unwind&) {
      throw;
    } catch (...) {
      error = errc::start_failed;
      c.last = exit_reason::failed(std::current_exception());
      report_not_made(c); // there is no actor whose end would say so
    }
    if (error == errc{}) {
      try {
        const pid actor = c.now.actor.id();
        by_actor_.emplace(actor, &c);
        by_actor_.erase(std::exchange(c.known_as, actor));
        this->watch(actor);
        note_child(actor, c.restarts);
        c.state = child_state::running;
        c.started_at = monotonic_now();
        return errc{};
      } catch (const std::bad_alloc&) { // without this it would not be seen when it ends
        end(c);
        c.last = exit_reason::failed(std::current_exception());
        return errc::out_of_memory;
      }
    }
    c.state = child_state::ended;
    if (error == errc::timed_out) {
      end(c);
      c.last = failed_with([&] {
        return "its init took longer than its start_limit of " + duration_text(c.spec.start_limit);
      });
    } else if (c.has_actor()) { // which has ended, or is about to
      c.last = c.now.actor.join();
      c.now = {};
    } else if (error != errc::start_failed) {
      c.last = failed_with([&] { return "not started: " + make_error_code(error).message(); });
    }
    return error;
  }

  // The answer to who asks for a start: what is wrong with the spec, if that is anything, or what
  // start() returns. For want of memory nothing is started, and the other children are not to suffer.
  template <class Answer, class Start>
  [[nodiscard]] static Answer answer_start(std::string trouble, Start start) {
    if (!trouble.empty()) {
      return {make_error_code(errc::invalid_config), std::move(trouble)};
    }
    try {
      return {start(), {}};
    } catch (const std::bad_alloc&) {
      return {make_error_code(errc::out_of_memory), {}};
    }
  }

  // Ends a child that has an actor, stage by stage. Suspends, a stop point, after which it still has it.
  void end(supervised_child& c) {
    const pid actor = c.now.actor.id();
    const auto limit = c.shutdown();
    ask_to_end(c, limit);
    if (!join_child(c, c.last)) {
      bool ended = false;
      if (limit.count() > 0) {
        stop_child(c);
        ended = join_child(c, c.last);
      }
      if (!ended && abandon_child(c, c.last)) {
        ++abandoned_;
      }
    }
    (void)this->unwatch(actor);
    c.started_at = 0;
    c.state = child_state::ended;
  }

  // The supervisor ends: so do all. Whatever comes, nobody stays behind.
  template <class EndAll>
  void end_all(EndAll&& in_good_order) noexcept {
    retries_.clear(); // their alarms go with the server
    for (supervised_child& c : children_) {
      c.retry = 0;
      c.alarm = server_timer::none;
    }
    try {
      in_good_order();
    } catch (...) { // it is to hurry, or something is wrong
      hurry();
    }
  }

  void retry_after(std::chrono::nanoseconds wait, supervised_child& c, bool counted) {
    const retry_child retry{++last_retry_, counted};
    retries_.emplace(retry.number, &c);
    c.retry = retry.number;
    if (wait.count() > 0 || !this->self().cast(retry)) {
      c.alarm = this->arm_after(wait, retry);
    }
  }
  void cancel_retry(supervised_child& c) noexcept {
    if (c.retry != 0) {
      retries_.erase(std::exchange(c.retry, 0));
      (void)this->cancel(std::exchange(c.alarm, server_timer::none));
    }
  }

  [[nodiscard]] child_count count() const noexcept {
    child_count n;
    for (const supervised_child& c : children_) {
      ++n.specs;
      n.active += c.state == child_state::running;
      ++(c.type() == child_type::supervisor ? n.supervisors : n.workers);
    }
    n.restarts = restarts_;
    n.abandoned = abandoned_;
    return n;
  }
  [[nodiscard]] std::vector<child_info> infos() const {
    std::vector<child_info> all;
    for (const supervised_child& c : children_) {
      all.push_back(c.info());
    }
    return all;
  }

  // For reports, and for sys.
  void describe_children(std::ostream& out) const {
    const child_count n = count();
    out << n.active << " of " << n.specs << " children run, " << n.restarts << " restarts";
    if (n.abandoned != 0) {
      out << ", " << n.abandoned << " abandoned";
    }
    for (const supervised_child& c : children_) {
      if (c.state != child_state::running) {
        out << "; " << name_of(c) << ' ' << to_string(c.state);
      }
    }
  }

  child_list children_; // in the order of their start
  std::uint64_t restarts_ = 0;
  std::uint64_t abandoned_ = 0;

private:
  [[nodiscard]] Derived& derived() noexcept { return static_cast<Derived&>(*this); }

  // It has no actor, and is to be started anew, now or after its wait.
  void start_anew(supervised_child& c) {
    if (!restart_allowed(c)) {
      return;
    }
    time_out([&] { derived().end_group(c); });
    const std::chrono::nanoseconds wait = wait_before_restart(c);
    report_restart(c, wait.count() != 0 ? ", after " + duration_text(wait) : std::string());
    if (wait.count() != 0) {
      retry_after(wait, c, true);
    } else {
      derived().start_group(c);
    }
  }
  void try_again(const retry_child& retry) {
    supervised_child* const c = take_retry(retry);
    if (c == nullptr) {
      return;
    }
    if (retry.counted) {
      time_out([&] { derived().end_again(*c); });
      derived().start_group(*c);
    } else {
      start_anew(*c);
    }
  }

  // The child whose turn it is; null: that was cancelled meanwhile.
  [[nodiscard]] supervised_child* take_retry(const retry_child& retry) noexcept {
    const auto at = retries_.find(retry.number);
    if (at == retries_.end()) {
      return nullptr;
    }
    supervised_child* const c = at->second;
    cancel_retry(*c);
    return c;
  }

  // The time that this takes is not seen by the window: however long siblings take to end, a group that
  // fails again and again is given up.
  template <class What>
  void time_out(What&& what) {
    const auto before = now();
    what();
    timed_out_ += now() - before;
  }

  // Decides on a restart: counts it, and says how long to wait before. False: this is one too many, and
  // the supervisor ends.
  [[nodiscard]] bool restart_allowed(const supervised_child& c) {
    if (options_.intensity != unlimited && !window_.add(now() - timed_out_)) {
      report_giving_up(c, window_, options_);
      this->stop(exit_kind::shutdown);
      return false;
    }
    ++restarts_;
    return true;
  }
  [[nodiscard]] std::chrono::nanoseconds wait_before_restart(supervised_child& c) {
    const restart_backoff& backoff = c.spec.backoff ? *c.spec.backoff : options_.backoff;
    if (!backoff) {
      return {};
    }
    if (c.started_at != 0 && backoff.recovered(std::chrono::nanoseconds(
                                 monotonic_now() - std::exchange(c.started_at, 0)))) {
      c.failures = 0;
    }
    return backoff.delay(c.failures++, std::uniform_real_distribution<double>()(random_));
  }
  [[nodiscard]] std::chrono::steady_clock::time_point now() const {
    return options_.clock ? options_.clock()
                          : std::chrono::steady_clock::time_point(
                                std::chrono::nanoseconds(monotonic_now()));
  }

  // No time is left: all are stopped at once, and have their grace.
  void hurry() noexcept {
    const disable_stop it_knows;
    for (supervised_child& c : children_) {
      if (c.has_actor()) {
        stop_child(c);
      }
    }
    for (supervised_child& c : children_) {
      exit_reason how;
      if (c.has_actor() && !join_child(c, how) && abandon_child(c, how)) {
        ++abandoned_;
      }
    }
  }

  const supervisor_options options_;
  restart_window window_;
  std::chrono::nanoseconds timed_out_{};
  std::minstd_rand random_;
  boost::unordered_flat_map<pid, supervised_child*> by_actor_;
  boost::unordered_flat_map<std::uint64_t, supervised_child*> retries_; // that are under way
  std::uint64_t last_retry_ = 0;
};

} // namespace smarm::detail

#endif
