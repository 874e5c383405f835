// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The tasks of a task_group: who is at work, who has ended and is still to be joined, and who waits
// for a place or for the end.

#ifndef SMARM_DETAIL_TASK_LIST_HPP
#define SMARM_DETAIL_TASK_LIST_HPP

#include <smarm/detail/task_account.hpp>
#include <smarm/join_handle.hpp>

#include <boost/intrusive/list.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

namespace smarm::detail {

class task_list;

struct task_node : boost::intrusive::list_base_hook<> {
  explicit task_node(task_list& owner) noexcept : list(owner) {}

  task_list& list;
  join_handle handle; // these under the list's lock
  bool started = false;
  bool over = false;
  std::uint64_t number = 0; // in the order of their ends, once over
  std::uint64_t asked = 0;  // the last request that has reached it
};

// What the task itself holds. Its end is the end of the task, whether that was called or not.
class task_place {
public:
  explicit task_place(task_node& node) noexcept : node_(&node) {}
  task_place(task_place&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  task_place& operator=(task_place&&) = delete;
  ~task_place();

  [[nodiscard]] task_node& node() const noexcept { return *node_; }

  // Called by the task's actor, first thing.
  void begin() const noexcept;

private:
  task_node* node_;
};

// What the spawner holds meanwhile. A task that did not come about is forgotten.
class task_start {
public:
  explicit task_start(task_node& node) noexcept : node_(&node) {}
  task_start(const task_start&) = delete;
  task_start& operator=(const task_start&) = delete;
  ~task_start();

  void succeeded(join_handle handle) noexcept;

private:
  task_node* node_;
};

class task_list {
public:
  static constexpr std::size_t unlimited = PTRDIFF_MAX;

  explicit task_list(std::size_t limit);
  task_list(const task_list&) = delete;
  task_list& operator=(const task_list&) = delete;
  ~task_list() = default;

  // Throws boost::system::system_error: would_deadlock, would_block_scheduler.
  void acquire_place();
  [[nodiscard]] bool try_acquire_place() noexcept;

  // A task from here on, which has the place; gives the place back if it throws.
  [[nodiscard]] task_place add();

  void wait();
  // The same until a deadline: whether all have ended. What they threw is left alone. A stop point.
  [[nodiscard]] bool wait_until(std::int64_t deadline);
  void abandon() noexcept;
  void request_shutdown();
  [[nodiscard]] std::size_t size() const noexcept;

private:
  friend class task_place;
  friend class task_start;
  using nodes = boost::intrusive::list<task_node>;

  void started(task_node& node, join_handle handle) noexcept;
  void forget(task_node& node) noexcept;
  void over(task_node& node) noexcept;
  void ask_all() noexcept;
  void join_ended() noexcept;
  [[nodiscard]] bool caller_is_a_task() const noexcept;
  void wait_for_place();

  // Its lock guards all below, for a few instructions at a time: a task may end in any context.
  mutable task_account account_;
  nodes present_; // at work, or about to be
  nodes ended_;   // to be joined, which takes no time
  std::uint64_t ends_ = 0;
  std::uint64_t requests_ = 0;
  bool abandoned_ = false; // who comes now is asked at once
  std::exception_ptr failure_;
  std::uint64_t failure_number_ = 0;
};

} // namespace smarm::detail

#endif
