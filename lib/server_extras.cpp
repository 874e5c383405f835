// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What only some servers have: timers, watches, further arms to receive from, and waiting for all of
// them at once.

#include <smarm/detail/server_extras.hpp>

#include <smarm/detail/published.hpp>
#include <smarm/detail/scheduler.hpp>
#include <smarm/detail/select_source.hpp>
#include <smarm/detail/wait.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace smarm::detail {
namespace {

// The server's own inbox as the last of its arms.
struct inbox_arm {
  static server_core& core(void* arm) noexcept { return *static_cast<server_core*>(arm); }
  static bool ready(void* arm) noexcept { return core(arm).ready(); }
  static bool settled(void* arm) noexcept { return core(arm).settled(); }
  static enrolment enroll(void* arm, registration who) noexcept {
    return core(arm).wait(who) ? enrolment::enrolled : enrolment::ready;
  }
  static bool withdraw(void* arm) noexcept { return core(arm).cancel_wait(); }

  static constexpr select_arm_operations operations{&ready, &settled, &enroll, &withdraw};
};

std::int64_t later_by(std::int64_t delay) noexcept {
  const std::int64_t now = monotonic_now();
  return delay >= no_deadline - now ? no_deadline : now + std::max<std::int64_t>(delay, 0);
}

} // namespace

void server_extras::watch(pid target) {
  if (!downs_) {
    downs_.emplace(channel<down>());
  }
  const auto [at, fresh] = watched_.try_emplace(target);
  if (fresh) {
    try {
      at->second =
          monitor_into(downs_->first, runtime_of_caller("smarm::gen_server::watch"), target);
    } catch (...) {
      watched_.erase(at);
      throw;
    }
  }
}

void server_extras::add_arm(std::vector<std::unique_ptr<server_arm>>& to,
                            std::unique_ptr<server_arm> arm) {
  const std::size_t all = infos_.size() + replies_.size() + 3; // the new one, downs, the inbox
  if (waiting_.capacity() < all) {
    waiting_.reserve(2 * all);
  }
  to.push_back(std::move(arm));
}

bool server_extras::unwatch(pid target) noexcept { return watched_.erase(target) != 0; }

std::uint64_t server_extras::arm(std::int64_t delay, std::unique_ptr<server_task> task) {
  timers_.emplace(later_by(delay), server_timer_entry{++last_timer_, {}, std::move(task)});
  return last_timer_;
}

std::uint64_t server_extras::tick(const tick_schedule& ticks, std::unique_ptr<server_task> task) {
  timers_.emplace(ticks.due, server_timer_entry{++last_timer_, ticks, std::move(task)});
  return last_timer_;
}

bool server_extras::cancel(std::uint64_t id) noexcept {
  if (firing_ == id) { // a periodic one, from its own handler
    firing_ = 0;
    return true;
  }
  const auto at = std::find_if(timers_.begin(), timers_.end(),
                               [id](const auto& entry) { return entry.second.id == id; });
  if (at == timers_.end()) {
    return false;
  }
  timers_.erase(at);
  return true;
}

void server_extras::idle_after(std::int64_t window) noexcept {
  idle_window_ = window;
  touched();
}

void server_extras::touched() noexcept {
  if (idle_window_ > 0) {
    idle_at_ = later_by(idle_window_);
  }
}

bool server_extras::idle_due() noexcept {
  if (idle_window_ <= 0 || monotonic_now() < idle_at_) {
    return false;
  }
  touched();
  return true;
}

bool server_extras::fire_due(server_core& core) {
  if (timers_.empty() || timers_.begin()->first > monotonic_now()) {
    return false;
  }
  auto due = timers_.extract(timers_.begin());
  if (!due.mapped().ticks) {
    due.mapped().task->run(core);
    return true;
  }
  // Armed again when it has been handled: what the handler itself has missed is missed, too.
  firing_ = due.mapped().id;
  server_task& task = *due.mapped().task;
  task.run(core);
  if (firing_ != 0) {
    firing_ = 0;
    due.mapped().ticks->advance(monotonic_now());
    due.key() = due.mapped().ticks->due;
    timers_.insert(std::move(due));
  }
  return true;
}

bool server_extras::dispatch_one_of(std::vector<std::unique_ptr<server_arm>>& arms,
                                    server_core& core) {
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (!arms[i]->due()) {
      continue;
    }
    // The handler may add arms, or throw: this one is out of the list meanwhile if it is over.
    server_arm& one = *arms[i];
    struct removed_if_over {
      std::vector<std::unique_ptr<server_arm>>& arms;
      server_arm& one;
      ~removed_if_over() {
        if (one.over) {
          std::erase_if(arms, [this](const auto& each) { return each.get() == &one; });
        }
      }
    } const after{arms, one};
    one.dispatch(core);
    return true;
  }
  return false;
}

bool server_extras::dispatch_first(server_core& core, void (*on_down)(server_core&, down)) {
  if (!next_.empty()) {
    const std::unique_ptr<server_task> task = std::move(next_.front());
    next_.pop_front();
    task->run(core);
    return true;
  }
  if (downs_) {
    while (auto what = downs_->second.try_recv()) {
      if (watched_.erase(what->actor) != 0) { // or it was unwatched meanwhile
        on_down(core, *std::move(what));
        return true;
      }
    }
  }
  return false;
}

bool server_extras::dispatch_then(server_core& core) {
  return fire_due(core) || dispatch_one_of(replies_, core) || dispatch_one_of(infos_, core);
}

std::int64_t server_extras::earliest() const noexcept {
  std::int64_t first = timers_.empty() ? no_deadline : timers_.begin()->first;
  if (idle_window_ > 0) {
    first = std::min(first, idle_at_);
  }
  for (const auto& one : replies_) {
    first = std::min(first, one->deadline);
  }
  return first;
}

bool server_extras::enroll(slot& me, server_core& server, std::int64_t latest) noexcept {
  waiting_.clear();
  if (downs_) {
    waiting_.push_back(arm_of(downs_->second));
  }
  for (const auto& one : replies_) {
    waiting_.push_back(one->arm());
  }
  for (const auto& one : infos_) {
    waiting_.push_back(one->arm());
  }
  waiting_.push_back({&server, &inbox_arm::operations});

  using source_type = select_source<select_arm, registration>;
  source_type source(waiting_);
  if (source.ready_arm(0) != no_arm) {
    return false;
  }
  const registration mine{&me, me.word.begin_wait()};
  const enrolment got = source.enroll(mine);
  if (got != enrolment::enrolled) {
    if (got == enrolment::overtaken) {
      (void)me.word.retire();
    }
    (void)source.settled_arm(0); // what is on its way is here afterwards
    return false;
  }
  enrolled_ = true;
  if (const std::int64_t deadline = std::min(earliest(), latest); deadline != no_deadline) {
    alarm_.who = mine.who;
    alarm_.ticket = mine.ticket;
    [[maybe_unused]] const bool armed = current_scheduler()->timers.arm(alarm_, deadline);
    SMARM_ASSERT(armed && "an actor outlived its run");
  }
  return true;
}

void server_extras::withdraw() noexcept {
  if (!enrolled_) {
    return;
  }
  enrolled_ = false;
  (void)timer_set::disarm(alarm_);
  for (const select_arm& one : waiting_) {
    (void)one.withdraw();
  }
}

} // namespace smarm::detail
