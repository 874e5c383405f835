// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

//
// What an application does, in an actor of its own: it starts its roots, waits for the end of one or for
// somebody who asks it to end, and ends them.

#ifndef SMARM_LIB_APPLICATION_STATE_HPP
#define SMARM_LIB_APPLICATION_STATE_HPP

#include <smarm/application.hpp>
#include <smarm/channel.hpp>
#include <smarm/detail/child_launcher.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/monitor.hpp>
#include <smarm/pid.hpp>
#include <smarm/runtime.hpp>
#include <smarm/stop_report.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smarm {

// Shared by the application's object and its actor.
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
  void write(const std::string& line) const;
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

  // The starter is told the number of an errc. Not one: a result of an error code could not tell one
  // from the other.
  void live(sender<int> starter, receiver<int> hurried);
  [[nodiscard]] bool start_all(running_roots& up);
  void wait_for_an_end(running_roots& up);
  void stop_all(running_roots& up, receiver<int>& hurried);
  void stop_one(running_root& r, receiver<int>& hurried, std::chrono::steady_clock::time_point deadline,
                std::optional<std::chrono::steady_clock::time_point>& last);

  std::mutex lock; // for a few assignments at a time, and never across a wait
  bool running = false;
  std::string cause; // empty: nobody has asked it to stop
  runtime_handle runtime;
  pid actor;         // none: it has not begun
  sender<int> hurry; // the actor listens while it stops
};

} // namespace smarm

#endif
