// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A task is over when its body is destroyed; a few instructions later its actor has ended, and it
// can be joined. So whoever waits for the group is let go by the last task's end and then joins what
// is left, which means that no task touches the group any more.

#include <smarm/task_group.hpp>

#include <smarm/detail/stops_later.hpp>
#include <smarm/detail/this_caller.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/stop.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/system_error.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <mutex>

namespace smarm::detail {
namespace {

std::uint64_t places_for(std::size_t limit) {
  if (limit == 0) {
    throw boost::system::system_error(make_error_code(errc::invalid_config),
                                      "task_group: a limit of 0 tasks");
  }
  return std::min(limit, std::size_t{task_list::unlimited});
}

bool can_wait() noexcept { return current_scheduler() == nullptr || this_actor::is_actor(); }

} // namespace

void task_place::begin() const noexcept { this_caller().task = node_; }

task_place::~task_place() {
  if (node_ == nullptr) {
    return;
  }
  // One that never began may end elsewhere, in another task or in none.
  const scheduler* here = current_scheduler();
  slot* me = here != nullptr ? here->current.load() : nullptr;
  if (me != nullptr && me->task == node_) {
    me->task = nullptr;
  }
  node_->list.over(*node_);
}

task_start::~task_start() {
  if (node_ != nullptr) {
    node_->list.forget(*node_);
  }
}

void task_start::succeeded(join_handle handle) noexcept {
  task_node& node = *std::exchange(node_, nullptr);
  node.list.started(node, std::move(handle));
}

task_list::task_list(std::size_t limit) : account_(places_for(limit)) {}

bool task_list::caller_is_a_task() const noexcept {
  const task_node* task = this_caller().task;
  return task != nullptr && &task->list == this;
}

void task_list::acquire_place() {
  stop_point_here();
  if (!account_.places.try_acquire()) {
    wait_for_place();
  }
  join_ended();
}

void task_list::wait_for_place() {
  struct keeping {
    task_account* account = nullptr;
    ~keeping() {
      if (account != nullptr) {
        account->end_keeping();
      }
    }
  } kept;
  if (caller_is_a_task()) {
    if (!account_.begin_keeping()) {
      throw boost::system::system_error(
          make_error_code(errc::would_deadlock),
          "task_group::spawn: every task of the full group would wait for another one to end; use "
          "try_spawn and do the work here if there is no room, or a group without a limit");
    }
    kept.account = &account_;
  }
  queued_wait<semaphore_core> wait(account_.places);
  if (wait_for_source<false>(wait, wait_kind::place) == wait_end::would_block) {
    throw_would_block("task_group::spawn");
  }
}

bool task_list::try_acquire_place() noexcept { return account_.places.try_acquire(); }

task_place task_list::add() {
  std::unique_ptr<task_node> node;
  try {
    node = std::make_unique<task_node>(*this);
  } catch (...) {
    account_.places.release(1);
    throw;
  }
  const std::lock_guard guard(account_);
  present_.push_back(*node);
  account_.begin();
  return task_place(*node.release());
}

void task_list::started(task_node& node, join_handle handle) noexcept {
  const pid who = handle.id();
  bool ask = false;
  {
    const std::lock_guard guard(account_);
    node.handle = std::move(handle);
    node.started = true;
    if (node.over) {
      ended_.splice(ended_.end(), present_, nodes::s_iterator_to(node));
    }
    ask = abandoned_;
  }
  if (ask) {
    (void)smarm::request_shutdown(who);
  }
}

// Its place was given back when it was destroyed.
void task_list::forget(task_node& node) noexcept {
  {
    const std::lock_guard guard(account_);
    present_.erase(nodes::s_iterator_to(node));
  }
  delete &node;
}

void task_list::over(task_node& node) noexcept {
  account_.places.release(1);
  queued_waiter* all = nullptr;
  {
    const std::lock_guard guard(account_);
    node.over = true;
    node.number = ++ends_;
    if (node.started) {
      ended_.splice(ended_.end(), present_, nodes::s_iterator_to(node));
    }
    all = account_.end();
  }
  waiter_queue::grant(all);
}

void task_list::join_ended() noexcept {
  if (!can_wait()) {
    return;
  }
  const stops_later masked;
  for (;;) {
    task_node* node = nullptr;
    {
      const std::lock_guard guard(account_);
      if (ended_.empty()) {
        return;
      }
      node = &ended_.front();
      ended_.pop_front();
    }
    const std::unique_ptr<task_node> owned(node);
    const exit_status how = node->handle.join();
    if (how.kind() == exit_kind::failed) {
      std::exception_ptr failure = how.exception();
      const std::lock_guard guard(account_);
      if (failure_ == nullptr || node->number < failure_number_) {
        failure_.swap(failure); // the other one is let go outside of the lock
        failure_number_ = node->number;
      }
    }
  }
}

void task_list::wait() {
  stop_point_here();
  if (size() != 0) {
    if (caller_is_a_task()) {
      throw boost::system::system_error(
          make_error_code(errc::would_deadlock),
          "task_group::wait: the caller is one of the tasks and would wait for its own end; wait "
          "outside of the group, or give what the task starts a group of its own");
    }
    queued_wait<task_account> wait(account_);
    if (wait_for_source<false>(wait, wait_kind::join) == wait_end::would_block) {
      throw_would_block("task_group::wait");
    }
  }
  join_ended();
  if (failure_ != nullptr) {
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

bool task_list::wait_until(std::int64_t deadline) {
  stop_point_here();
  if (size() != 0) {
    queued_wait<task_account> wait(account_);
    if (wait_for_source<true>(wait, wait_kind::join, deadline) != wait_end::ready) {
      return false;
    }
  }
  join_ended();
  return true;
}

// Who was asked goes to the end, behind those who are still to be asked; who comes meanwhile goes
// behind them.
void task_list::ask_all() noexcept {
  std::uint64_t request = 0;
  for (;;) {
    pid who;
    {
      const std::lock_guard guard(account_);
      request = request != 0 ? request : ++requests_;
      if (present_.empty() || present_.front().asked >= request) {
        return;
      }
      task_node& next = present_.front();
      next.asked = request;
      present_.splice(present_.end(), present_, present_.begin());
      if (!next.started) {
        continue;
      }
      who = next.handle.id();
    }
    (void)smarm::request_shutdown(who);
  }
}

void task_list::request_shutdown() {
  if (current_scheduler() == nullptr) {
    throw boost::system::system_error(make_error_code(errc::not_in_actor),
                                      "task_group::request_shutdown");
  }
  ask_all();
}

void task_list::abandon() noexcept {
  {
    const std::lock_guard guard(account_);
    abandoned_ = true;
  }
  if (size() != 0) {
    if (caller_is_a_task()) {
      // Waiting would be for ever, and not to wait would leave the task in a group that is gone.
      std::fputs(
          "smarm: a task_group is destroyed by one of its own tasks, whose end it has to wait "
          "for: let the tasks keep no share of their group\n",
          stderr);
      std::terminate();
    }
    if (current_scheduler() != nullptr) {
      ask_all();
    }
    queued_wait<task_account> wait(account_);
    if (wait_for_source<false, stoppable::no>(wait, wait_kind::join) == wait_end::would_block) {
      std::terminate(); // the tasks would go on with a group that is gone
    }
  }
  join_ended();
  ended_.clear_and_dispose(std::default_delete<task_node>()); // where nothing can be joined
}

std::size_t task_list::size() const noexcept {
  const std::lock_guard guard(account_);
  return account_.at_work();
}

} // namespace smarm::detail
