// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Work in a scope: actors that are started together, so many at a time if that is wished, and that
// are all over when the scope is left, however it is left.
//
//     smarm::task_group group(8);                    // at most eight at once
//     for (const auto& url : urls) {
//       group.spawn([&] { fetch(url); });            // waits while eight are at work
//     }
//     group.wait();                                  // throws what the first that failed threw

#ifndef SMARM_TASK_GROUP_HPP
#define SMARM_TASK_GROUP_HPP

#include <smarm/detail/task_list.hpp>
#include <smarm/error.hpp>
#include <smarm/spawn.hpp>
#include <smarm/spawn_options.hpp>

#include <boost/system/result.hpp>

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

namespace smarm {

// The tasks are actors like any other: each is stopped, observed and reported by itself. A failure
// does not end the others; who wishes that calls request_shutdown. The group's own actor and its
// tasks may spawn into it; one at a time waits, and destroys it. Everything within one runtime.
class task_group {
public:
  static constexpr std::size_t unlimited = detail::task_list::unlimited;

  // At most `limit` > 0 tasks at once. Throws boost::system::system_error: invalid_config for 0.
  explicit task_group(std::size_t limit = unlimited) : tasks_(limit) {}
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  // Asks the tasks that are left to shut down, and suspends until all have ended. No stop point.
  // What they threw is reported as any actor's failure is, and no more. On a plain thread it only
  // waits. Must not be left to wait in scheduler context.
  ~task_group() { tasks_.abandon(); }

  // Starts an actor that calls `body`, a move-only callable without arguments. Suspends while `limit`
  // tasks are at work: if all of them wait here themselves, for ever, so tasks of a limited group use
  // try_spawn. Stop point; if a stop ends the wait, nothing was started. Throws
  // boost::system::system_error: the errors of smarm::spawn, and would_block_scheduler if it would
  // have to wait in scheduler context.
  template <class Body>
  void spawn(Body&& body) {
    spawn({}, std::forward<Body>(body));
  }
  template <class Body>
  void spawn(const spawn_options& options, Body&& body) {
    tasks_.acquire_place();
    if (const auto started = start(options, std::forward<Body>(body)); !started) {
      detail::throw_spawn_error(started.error(), &options);
    }
  }

  // The same if fewer than `limit` tasks are at work, else the error queue_full, and the body is
  // left as it was. Errors of smarm::try_spawn besides. Neither suspends nor is a stop point.
  template <class Body>
  [[nodiscard]] boost::system::result<void> try_spawn(Body&& body) {
    return try_spawn({}, std::forward<Body>(body));
  }
  template <class Body>
  [[nodiscard]] boost::system::result<void> try_spawn(const spawn_options& options, Body&& body) {
    if (!tasks_.try_acquire_place()) {
      return make_error_code(errc::queue_full);
    }
    return start(options, std::forward<Body>(body));
  }

  // Suspends until every task has ended, also those that are spawned meanwhile. Then throws, once,
  // what the first task that failed threw; a task that was stopped has not failed. The group can be
  // used again. Stop point: a stop leaves the tasks as they are, for the destructor. Throws
  // boost::system::system_error: would_block_scheduler if it would have to wait in scheduler
  // context.
  void wait() { tasks_.wait(); }

  // Asks every task that is at work now to shut down, see smarm::request_shutdown. Neither suspends
  // nor is a stop point. Linear in the number of tasks. Throws boost::system::system_error:
  // not_in_actor outside a runtime.
  void request_shutdown() { tasks_.request_shutdown(); }

  // How many are at work; out of date as soon as it is told.
  [[nodiscard]] std::size_t size() const noexcept { return tasks_.size(); }

private:
  // With a place taken, which the task gives back.
  template <class Body>
  boost::system::result<void> start(const spawn_options& options, Body&& body) {
    struct task {
      detail::task_place place; // given back after the body is destroyed
      std::decay_t<Body> body;
      void operator()() { (void)std::invoke(std::move(body)); }
    };
    detail::task_place place = tasks_.add();
    detail::task_start begun(place.node());
    auto handle = smarm::try_spawn(options, task{std::move(place), std::forward<Body>(body)});
    if (!handle) {
      return handle.error();
    }
    begun.succeeded(*std::move(handle));
    return {};
  }

  detail::task_list tasks_;
};

} // namespace smarm

#endif
