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
#include <memory>
#include <mutex>

namespace smarm::detail {
namespace {

std::ptrdiff_t places_for(std::size_t limit) {
  if (limit == 0) {
    throw boost::system::system_error(make_error_code(errc::invalid_config),
                                      "task_group: a limit of 0 tasks");
  }
  return static_cast<std::ptrdiff_t>(std::min(limit, std::size_t{task_list::unlimited}));
}

bool can_wait() noexcept { return current_scheduler() == nullptr || this_actor::is_actor(); }

} // namespace

struct task_list::idle_place {
  task_list& of;

  bool enter(queued_waiter& w) noexcept {
    const std::lock_guard guard(of.idle_);
    if (of.at_work_ == 0) {
      return true;
    }
    of.idle_.push(w);
    return false;
  }
  bool leave(queued_waiter& w) noexcept {
    const std::lock_guard guard(of.idle_);
    return of.idle_.remove(w);
  }
};

task_place::~task_place() {
  if (node_ != nullptr) {
    node_->list.over(*node_);
  }
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

task_list::task_list(std::size_t limit) : places_(places_for(limit)) {}

void task_list::acquire_place() {
  places_.acquire();
  join_ended();
}

bool task_list::try_acquire_place() noexcept { return places_.try_acquire(); }

task_place task_list::add() {
  std::unique_ptr<task_node> node;
  try {
    node = std::make_unique<task_node>(*this);
  } catch (...) {
    places_.release();
    throw;
  }
  const std::lock_guard guard(idle_);
  present_.push_back(*node);
  ++at_work_;
  return task_place(*node.release());
}

void task_list::started(task_node& node, join_handle handle) noexcept {
  const pid who = handle.id();
  bool ask = false;
  {
    const std::lock_guard guard(idle_);
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
    const std::lock_guard guard(idle_);
    present_.erase(nodes::s_iterator_to(node));
  }
  delete &node;
}

void task_list::over(task_node& node) noexcept {
  places_.release();
  queued_waiter* all = nullptr;
  {
    const std::lock_guard guard(idle_);
    node.over = true;
    node.number = ++ends_;
    if (node.started) {
      ended_.splice(ended_.end(), present_, nodes::s_iterator_to(node));
    }
    if (--at_work_ == 0) {
      all = idle_.pop_all();
    }
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
      const std::lock_guard guard(idle_);
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
      const std::lock_guard guard(idle_);
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
    idle_place here{*this};
    queued_wait<idle_place> wait(here);
    if (wait_for_source<false>(wait, wait_kind::join) == wait_end::would_block) {
      throw_would_block("task_group::wait");
    }
  }
  join_ended();
  if (failure_ != nullptr) {
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
}

// Who was asked goes to the end, behind those who are still to be asked; who comes meanwhile goes
// behind them.
void task_list::ask_all() noexcept {
  std::uint64_t request = 0;
  for (;;) {
    pid who;
    {
      const std::lock_guard guard(idle_);
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
    const std::lock_guard guard(idle_);
    abandoned_ = true;
  }
  if (size() != 0) {
    if (current_scheduler() != nullptr) {
      ask_all();
    }
    idle_place here{*this};
    queued_wait<idle_place> wait(here);
    if (wait_for_source<false, stoppable::no>(wait, wait_kind::join) == wait_end::would_block) {
      std::terminate(); // the tasks would go on with a group that is gone
    }
  }
  join_ended();
  ended_.clear_and_dispose(std::default_delete<task_node>()); // where nothing can be joined
}

std::size_t task_list::size() const noexcept {
  const std::lock_guard guard(idle_);
  return at_work_;
}

} // namespace smarm::detail
