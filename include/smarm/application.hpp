// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A program as supervision trees: they are started in order, and end in reverse order, within a time
// that is theirs together. What took how long is said.
//
//     int main() {
//       smarm::application shop({.name = "shop", .stop_limit = 20s}, {
//           {.id = "storage", .start = smarm::supervision_tree({}, {...})},
//           {.id = "front", .start = smarm::supervision_tree({}, {...})},
//       });
//       return shop.run(); // until SIGTERM, or until one of them ends
//     }
//
// A program with a main loop of its own uses start, request_stop and wait instead of run.

#ifndef SMARM_APPLICATION_HPP
#define SMARM_APPLICATION_HPP

#include <smarm/child_spec.hpp>
#include <smarm/child_start.hpp>
#include <smarm/config.hpp>
#include <smarm/runtime.hpp>
#include <smarm/stop_report.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace smarm {

//[application_options_outline
struct application_root {
  // Unique in the application; the label of its actor.
  std::string id = {};
  // As that of a child_spec: a tree, mostly. One that ends by itself ends the application.
  child_start start = {};
  // How long its init may take.
  std::chrono::nanoseconds start_limit = infinity;
};

struct application_options {
  std::string name = "application";

  // How long the ending of all roots together may take; what one does not need is the next one's. Then
  // those that are left are stopped, and have `grace` together.
  std::chrono::nanoseconds stop_limit = std::chrono::seconds(30);
  std::chrono::nanoseconds grace = std::chrono::seconds(1);

  // Those that end the application run by run(), in good order. A second one hurries it, as if the time
  // were up; a third one ends the process at once.
  std::vector<int> stop_signals = {SIGTERM};

  // Gets each line of what happens, without its end. Empty: standard error. Called in an actor and on
  // the thread that watches signals, perhaps by both at once. What it throws is ignored.
  std::function<void(std::string_view line)> log = {};
};
//]

// Runs once at a time, in one runtime, and may run again. The object lives as long as it does.
class application {
public:
  // Throws boost::system::system_error, errc::invalid_config, with a text that names root and field;
  // std::bad_alloc.
  application(application_options options, std::vector<application_root> roots);
  application(const application&) = delete;
  application& operator=(const application&) = delete;
  // Stops it if it runs, and waits for that.
  ~application();

  // Starts the roots in that runtime, one after the other, and returns when all are started. If one
  // cannot be started, or it is asked to stop meanwhile, those that are up are ended in reverse order:
  // start_failed; wait() tells more. Suspends an actor, which is a stop point and leaves the application
  // running; blocks a thread. Errors: also already_started (wait() was not called since), those of
  // try_spawn, runtime_down, would_block_scheduler.
  [[nodiscard]] boost::system::result<void> start(const runtime_handle& runtime);

  // Asks it to end, also while it still starts. Asked again, it hurries: who has not ended is stopped.
  // From any thread, and from actors; not from a signal handler, for which there is signal_watch. Neither
  // suspends nor is a stop point.
  void request_stop(std::string_view cause = "asked to");

  // Waits until it has ended, and says how. Suspends an actor, and is a stop point; blocks a thread.
  // Throws boost::system::system_error: no_process if it was not started, would_block_scheduler.
  stop_report wait();

  // What main does: makes a runtime, starts, waits for one of the signals or for a root's end, stops, and
  // ends the runtime. All the time that there is for that is stop_limit and grace: the runtime's
  // destructor_grace is none. Returns what main returns: EXIT_SUCCESS if it was started and has ended
  // cleanly. Blocks the thread. Throws what the constructors of runtime and signal_watch throw.
  int run(config settings = {});

private:
  class state;
  std::shared_ptr<state> state_;
};

} // namespace smarm

#endif
