// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/application.hpp>

#include "application_state.hpp"

#include <smarm/detail/scheduler.hpp>
#include <smarm/error.hpp>
#include <smarm/signal_watch.hpp>
#include <smarm/this_actor.hpp>

#include <boost/system/system_error.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <cstdlib>
#include <optional>
#include <utility>

namespace smarm {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw boost::system::system_error(make_error_code(errc::invalid_config),
                                    "smarm::application: " + why);
}

void check(const application_options& options, const std::vector<application_root>& roots) {
  if (options.stop_limit.count() < 0 || options.grace.count() < 0) {
    refuse("stop_limit and grace cannot be negative");
  }
  boost::unordered_flat_set<std::string_view> seen;
  for (const application_root& r : roots) {
    if (r.id.empty()) {
      refuse("a root has no id");
    }
    if (!seen.insert(r.id).second) {
      refuse("there are two roots \"" + r.id + '"');
    }
    if (!r.start) {
      refuse("root \"" + r.id + "\" has no start");
    }
    if (r.start_limit.count() <= 0) {
      refuse("start_limit of root \"" + r.id + "\" is not positive");
    }
  }
}

} // namespace

application::application(application_options options, std::vector<application_root> roots) {
  check(options, roots);
  state_ = std::make_shared<state>(std::move(options), std::move(roots));
}

application::~application() {
  if (!state_->handle.joinable()) {
    return;
  }
  state_->request_stop("its object goes");
  std::optional<disable_stop> however_its_owner_ends;
  if (this_actor::is_actor()) {
    however_its_owner_ends.emplace();
  }
  (void)state_->handle.join();
}

boost::system::result<void> application::start(const runtime_handle& runtime) {
  if (detail::would_block_here()) {
    return make_error_code(errc::would_block_scheduler);
  }
  if (!state_->reserve()) {
    return make_error_code(errc::already_started);
  }
  try {
    return state_->start(state_, runtime);
  } catch (...) {
    if (!state_->handle.joinable()) { // else it runs, and it is the caller that was stopped
      state_->release();
    }
    throw;
  }
}

void application::request_stop(std::string_view cause) { state_->request_stop(cause); }

stop_report application::wait() {
  (void)state_->handle.join();
  stop_report told = std::move(state_->report);
  state_->release();
  return told;
}

int application::run(config settings) {
  if (!state_->reserve()) {
    throw boost::system::system_error(make_error_code(errc::already_started),
                                      "smarm::application::run");
  }
  // From here on a signal is heard of, also before the first root is started.
  std::optional<signal_watch> signals;
  try {
    signals.emplace(state_->options.stop_signals, [this](int signal, unsigned count) {
      if (count > 2) {
        end_by_signal(signal);
      }
      state_->log(signal_name(signal) + (count > 1 ? " again: it has to hurry" : ""));
      state_->request_stop(signal_name(signal));
    });
    settings.destructor_grace = {};
    class runtime rt(std::move(settings));
    rt.start();
    const auto started = state_->start(state_, rt.handle());
    stop_report told{.application = state_->options.name, .failed = true};
    if (started || state_->handle.joinable()) {
      told = wait();
    } else {
      told.cause = started.error().message();
    }
    told.survivors = rt.shutdown(state_->options.grace);
    state_->log(told);
    return told.clean() ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (...) {
    state_->release();
    throw;
  }
}

} // namespace smarm
