// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/runtime.hpp>

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/published.hpp>
#include <smarm/detail/simulation.hpp>
#include <smarm/detail/stack.hpp>
#include <smarm/detail/survey.hpp>
#include <smarm/detail/timed_delivery.hpp>
#include <smarm/stop.hpp>

#include <boost/system/system_error.hpp>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>

namespace smarm {
namespace {

[[noreturn]] void refuse(errc code, const char* what) {
  throw boost::system::system_error(make_error_code(code), what);
}

// The run goes on while such a call does.
void refuse_blocking_call_of(const detail::runtime_state& state, const char* what) {
  if (detail::on_blocking_thread_of(state)) {
    refuse(errc::would_deadlock, what);
  }
}

// By the world's clock, as the end is waited for: a test runtime's actor may let go of another runtime.
std::int64_t world_deadline_after(std::chrono::nanoseconds limit) noexcept {
  const std::int64_t now = detail::world_now();
  if (limit.count() <= 0) {
    return now;
  }
  return limit.count() < detail::no_deadline - now ? now + limit.count() : detail::no_deadline;
}

std::vector<survivor> end_within(detail::runtime_state& state, std::chrono::nanoseconds limit) {
  // Where nobody is left the end is a matter of the schedulers' noticing, and is waited for whatever
  // the limit: an empty answer says that all is over.
  constexpr std::chrono::milliseconds notice(10);
  std::int64_t deadline = world_deadline_after(limit);
  const std::uint64_t run = state.shut_down_all();
  while (!state.await_end(run, deadline)) {
    std::vector<survivor> left = detail::survey(state);
    if (!left.empty()) {
      return left;
    }
    deadline = world_deadline_after(notice);
  }
  return {};
}

// Where the caller's timers go: one place for each thread, so that they keep their order.
detail::timer_set& timers_for_caller(detail::runtime_state& state) noexcept {
  detail::scheduler* here = detail::current_scheduler();
  if (here != nullptr && &here->runtime == &state) {
    return here->timers;
  }
  const std::size_t thread = std::hash<std::thread::id>()(std::this_thread::get_id());
  return state.schedulers[thread % state.schedulers.size()]->timers;
}

} // namespace

// ---- Handles -----------------------------------------------------------------------------------

bool runtime_handle::request_stop(pid actor) const noexcept {
  const auto state = state_.lock();
  return state && state->insist(actor);
}

bool runtime_handle::request_shutdown(pid actor) const noexcept {
  const auto state = state_.lock();
  return state && detail::shut_down(*state, actor, pid::root(), detail::shutdown_asked::directly);
}

bool runtime_handle::is_live(pid actor) const noexcept {
  const auto state = state_.lock();
  return state && state->is_live(actor);
}

boost::system::result<timer_id> runtime_handle::arm(detail::timed_delivery& fresh,
                                                    std::int64_t deadline) const {
  timer_id id = detail::timer_id_access::make(fresh);
  if (const auto state = state_.lock()) {
    const detail::runtime_state::visit here(*state);
    if (here.open() && timers_for_caller(*state).arm(fresh, deadline)) {
      return id;
    }
  }
  detail::destroy_unfired(fresh);
  return make_error_code(errc::runtime_down);
}

bool request_stop(pid actor) {
  detail::scheduler* here = detail::current_scheduler();
  if (here == nullptr) {
    refuse(errc::not_in_actor, "smarm::request_stop");
  }
  return here->runtime.insist(actor);
}

bool request_shutdown(pid actor) {
  detail::scheduler* here = detail::current_scheduler();
  if (here == nullptr) {
    refuse(errc::not_in_actor, "smarm::request_shutdown");
  }
  const pid from = here->is_actor(here->current) ? here->current->id() : pid::root();
  return detail::shut_down(here->runtime, actor, from, detail::shutdown_asked::directly);
}

// ---- The runtime -------------------------------------------------------------------------------

runtime::runtime(config settings)
    : state_(std::make_shared<detail::runtime_state>(std::move(settings))) {}

runtime::~runtime() {
  if (state_ == nullptr) {
    return;
  }
  if (!state_->is_running()) {
    state_->tell_outsiders();
    return;
  }
  const detail::scheduler* here = detail::current_scheduler();
  if ((here != nullptr && &here->runtime == state_.get()) ||
      detail::on_blocking_thread_of(*state_)) {
    // The schedulers hold the state; whoever called run, or the last thread, sees the end.
    state_->orphan();
    return;
  }
  const auto left = end_within(*state_, state_->settings.destructor_grace);
  if (left.empty()) {
    state_->tell_outsiders();
    return;
  }
  for (const survivor& s : left) {
    state_->tell({.kind = report_kind::zombie,
                  .actor = s.actor,
                  .parent = {},
                  .label = s.label,
                  .reason = {},
                  .text = "did not end with its runtime: it " + s.text});
  }
  if (state_->settings.zombies == zombie_policy::abort) {
    std::fprintf(stderr,
                 "smarm: a runtime was destroyed with %zu live actor(s), named above. Call "
                 "runtime::shutdown first, or set config::zombies to leak\n",
                 left.size());
    std::abort();
  }
  state_->orphan();
}

void runtime::enter() {
  if (detail::current_scheduler() != nullptr) {
    refuse(errc::nested_run, "runtime::run: called from inside an actor; spawn instead");
  }
  state_->begin_run();
  state_->start_threads(1);
}

void runtime::run_to_end(detail::runtime_state& state) {
  state.started();
  const std::uint64_t run = state.release_keep_alive();
  state.schedulers.front()->run();
  state.scheduler_done();
  (void)state.await_end(run, detail::no_deadline);
}

void runtime::run_to_end(detail::runtime_state& state, boost::system::result<join_handle> root) {
  run_to_end(state);
  if (!root) {
    detail::throw_spawn_error(root.error());
  }
  const exit_status how = root->join();
  if (how.kind() == exit_kind::failed) {
    std::rethrow_exception(how.exception());
  }
}

void runtime::start() {
  if (detail::current_scheduler() != nullptr) {
    refuse(errc::nested_run, "runtime::start: called from inside an actor");
  }
  state_->begin_run();
  state_->start_threads(0);
  state_->started();
}

void runtime::wait() {
  const detail::scheduler* here = detail::current_scheduler();
  if (here != nullptr) {
    refuse(errc::would_block_scheduler, "runtime::wait: an actor cannot wait for a runtime");
  }
  refuse_blocking_call_of(*state_, "runtime::wait: a blocking call cannot wait for its runtime");
  const std::uint64_t run = state_->release_keep_alive();
  (void)state_->await_end(run, detail::no_deadline);
}

std::vector<survivor> runtime::shutdown(std::chrono::nanoseconds limit) {
  if (detail::current_scheduler() != nullptr) {
    refuse(errc::would_block_scheduler, "runtime::shutdown: an actor cannot wait for a runtime");
  }
  refuse_blocking_call_of(*state_, "runtime::shutdown: a blocking call cannot wait for its runtime");
  return end_within(*state_, limit);
}

runtime_handle runtime::handle() const noexcept { return runtime_handle(state_); }
runtime_stats runtime::stats() const { return state_->stats(); }
const config& runtime::settings() const noexcept { return state_->settings; }

runtime_handle this_actor::get_runtime() {
  return detail::runtime_access::handle(
      detail::runtime_of_caller("this_actor::get_runtime").shared_from_this());
}

} // namespace smarm
