// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "pool_manager.hpp"

#include "supervisor_access.hpp"

#include <smarm/dynamic_supervisor.hpp>
#include <smarm/error.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/spawn.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <algorithm>
#include <ostream>
#include <string>

namespace smarm::detail {
namespace {

[[nodiscard]] bool has_ended(const any_server& worker) noexcept {
  return any_server_access::core(worker)->inbox.closed();
}

[[nodiscard]] dynamic_supervisor_ref supervisor_in(const pool_control& control) noexcept {
  return supervisor_access::ref<dynamic_supervisor_ref>(control.workers.get());
}

// Starts one more, and does not make the manager wait for its init.
struct overflow_start {
  std::shared_ptr<pool_control> control;
  std::shared_ptr<const pool_settings> settings;
  any_server manager;

  void operator()() const {
    struct told {
      const any_server& manager;
      bool started = false;
      ~told() {
        if (!started) {
          (void)typed<pool_manager>(manager).cast(pool_manager::overflow_failed());
        }
      }
    } told{manager};
    const disable_stop or_it_would_not_be_known_whether_it_runs;
    const auto child = supervisor_in(*control).start_child(settings->overflow);
    told.started = child && *child != pid::none();
  }
};

} // namespace

init_result pool_manager::init() {
  me_ = self();
  control_->manager.set(me_);
  const dynamic_supervisor_ref supervisor = supervisor_in(*control_);
  for (std::size_t i = 0; i < settings_->size; ++i) {
    const auto child = supervisor.start_child(settings_->permanent);
    if (!child || *child == pid::none()) {
      const auto why = child ? make_error_code(errc::start_ignored) : child.error();
      return init_result::stop(
          exit_reason::failed("worker " + std::to_string(i) + " did not start: " + why.message()));
    }
  }
  return init_result::ok();
}

void pool_manager::describe(std::ostream& out) const {
  const worker_pool_statistics now = handle_call(statistics());
  out << now.workers << " workers, " << now.idle << " of them idle, " << now.waiting
      << " requests waiting";
}

// ---- requests

void pool_manager::handle_call(check_out wanted, reply_to<lending> caller) {
  serve(borrowing{std::move(caller), wanted.borrower});
}

void pool_manager::handle_cast(pool_work work) { serve(std::move(work)); }

void pool_manager::serve(request r) {
  while (worker* const w = take_idle()) {
    if (lend(*w, r)) {
      if (!w->busy) {
        idle_like(*w).push_back(w->ref.id());
      }
      return;
    }
  }
  if (waiting_.size() >= starting_) {
    begin_overflow();
  }
  // One that is being started has a request already.
  const auto has_room = [this] {
    return waiting_.size() < starting_ || waiting_.size() - starting_ < settings_->max_waiting;
  };
  if (!has_room()) {
    counts_.gave_up += std::erase_if(waiting_, given_up);
    if (!has_room()) {
      ++counts_.refused;
      refuse(std::move(r));
      return;
    }
  }
  ++counts_.waited;
  waiting_.push_back(std::move(r));
}

bool pool_manager::lend(worker& to, request& r) {
  if (has_ended(to.ref)) {
    return false;
  }
  const std::uint64_t number = to.number + 1;
  if (auto* const work = std::get_if<pool_work>(&r)) {
    pool_node& node = work->node();
    node.busy = lent_worker(me_, to.ref, number);
    server_core& core = *any_server_access::core(to.ref);
    node.operations.lent(node, core.where);
    const errc error = core.push(node, no_deadline, when_full::fails);
    if (error != errc{}) {
      node.busy.forget();
      node.operations.lent(node, nullptr);
      if (error == errc::server_down) {
        return false;
      }
      // The worker's inbox has a limit, and somebody has filled it up besides the pool.
      node.operations.fail(work->release(), errc::queue_full);
      return true;
    }
    (void)work->release();
  } else {
    auto& b = std::get<borrowing>(r);
    if (b.borrower != pid::none()) {
      ++borrowers_[b.borrower];
      watch(b.borrower);
      to.borrower = b.borrower;
    }
    b.caller.reply(lent_worker(me_, to.ref, number));
  }
  to.number = number;
  to.busy = true;
  if (to.linger != server_timer::none) {
    (void)cancel(std::exchange(to.linger, server_timer::none));
  }
  ++counts_.served;
  return true;
}

bool pool_manager::given_up(const request& r) noexcept {
  if (const auto* const work = std::get_if<pool_work>(&r)) {
    return work->node().operations.abandoned(work->node());
  }
  return std::get<borrowing>(r).caller.abandoned();
}

void pool_manager::refuse(request r) {
  if (auto* const work = std::get_if<pool_work>(&r)) {
    pool_node& node = work->release();
    node.operations.fail(node, errc::queue_full);
  } else {
    std::get<borrowing>(r).caller.reply(make_error_code(errc::queue_full));
  }
}

// ---- workers

pool_manager::worker* pool_manager::find(pid actor) noexcept {
  const auto at = workers_.find(actor);
  return at != workers_.end() ? &at->second : nullptr;
}

pool_manager::worker* pool_manager::take_idle() noexcept {
  for (std::vector<pid>& idle : idle_) {
    if (!idle.empty()) {
      const pid last = idle.back();
      idle.pop_back();
      return find(last); // there: who ends is removed from both
    }
  }
  return nullptr;
}

void pool_manager::is_idle(worker& w) {
  w.busy = false;
  while (!waiting_.empty()) {
    if (given_up(waiting_.front())) {
      ++counts_.gave_up;
    } else if (!lend(w, waiting_.front())) {
      return;
    }
    waiting_.pop_front();
    if (w.busy) {
      return;
    }
  }
  const pid actor = w.ref.id();
  if (w.overflow && settings_->linger.count() <= 0) {
    handle_timer({actor, w.number});
    return;
  }
  idle_like(w).push_back(actor);
  if (w.overflow) {
    w.linger = arm_after(settings_->linger, linger_over{actor, w.number});
  }
}

void pool_manager::handle_cast(joined what) {
  const pid actor = what.worker.id();
  worker& w = workers_[actor];
  w.ref = std::move(what.worker);
  w.overflow = what.overflow;
  if (w.overflow) {
    --starting_;
    ++overflow_;
    ++counts_.overflow_started;
  }
  watch(actor);
  is_idle(w);
}

void pool_manager::handle_cast(returned what) {
  worker* const w = find(what.worker);
  if (w == nullptr || !w->busy || w->number != what.number) {
    return;
  }
  release_borrower(*w);
  if (has_ended(w->ref)) {
    return; // which is about to be heard of
  }
  is_idle(*w);
}

void pool_manager::release_borrower(worker& w) noexcept {
  const pid borrower = std::exchange(w.borrower, pid::none());
  const auto at = borrowers_.find(borrower);
  if (at != borrowers_.end() && --at->second == 0) {
    borrowers_.erase(at);
    if (find(borrower) == nullptr) { // else it is a worker, too
      (void)unwatch(borrower);
    }
  }
}

void pool_manager::handle_timer(linger_over what) {
  worker* const w = find(what.worker);
  if (w == nullptr || w->busy || w->number != what.number) {
    return;
  }
  std::erase(idle_like(*w), what.worker);
  if (!borrowers_.contains(what.worker)) { // else it has workers itself
    (void)unwatch(what.worker);
  }
  (void)request_shutdown(what.worker); // it is temporary, so that its supervisor forgets it
  workers_.erase(what.worker);
  --overflow_;
}

void pool_manager::begin_overflow() {
  if (overflow_ + starting_ >= settings_->max_overflow) {
    return;
  }
  if (auto starter =
          try_spawn({.label = "overflow of a pool"}, overflow_start{control_, settings_, me_})) {
    starter->detach();
    ++starting_;
  }
}

void pool_manager::handle_cast(overflow_failed) { --starting_; }

// ---- endings

void pool_manager::handle_down(const down& d) {
  if (worker* const w = find(d.actor)) {
    std::erase(idle_like(*w), d.actor);
    if (w->linger != server_timer::none) {
      (void)cancel(w->linger);
    }
    release_borrower(*w);
    overflow_ -= w->overflow;
    ++counts_.died;
    workers_.erase(d.actor);
    if (waiting_.size() > starting_) {
      begin_overflow();
    }
  }
  if (borrowers_.contains(d.actor)) {
    // What it has given back itself, as it ended, is in the inbox: that comes first.
    (void)self().cast(borrower_gone{d.actor});
  }
}

void pool_manager::handle_cast(borrower_gone what) {
  borrowers_.erase(what.who);
  for (auto& [actor, w] : workers_) {
    if (w.borrower == what.who) {
      w.borrower = pid::none();
      ++counts_.revoked;
      (void)request_shutdown(actor);
    }
  }
}

worker_pool_statistics pool_manager::handle_call(statistics) const {
  worker_pool_statistics now = counts_;
  now.workers = workers_.size();
  now.idle = idle_[0].size() + idle_[1].size();
  now.overflow = overflow_;
  now.waiting = waiting_.size();
  return now;
}

} // namespace smarm::detail
