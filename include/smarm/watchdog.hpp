// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Watches a runtime for trouble, from a thread of its own, and reports what it sees, with a line of
// advice, to the runtime's sink (config::reports): an actor that will not give up the processor, with its
// stack; an inbox that grows; a stack that runs out; a stop that is not answered; a wait that cannot end;
// a storm of wakes; a handler that holds up a scheduler. For each run of a runtime:
//
//     smarm::runtime rt{{.watchdog = smarm::watchdog_options{}}};
//
// or, from anywhere, for as long as the object lives:
//
//     const smarm::watchdog dog(rt.handle());
//
// The sink is called on that thread, and nothing of the runtime waits for it meanwhile but the end of what
// watches: it may call runtime::shutdown, which ends the watch.

#ifndef SMARM_WATCHDOG_HPP
#define SMARM_WATCHDOG_HPP

#include <smarm/watchdog_options.hpp>

#include <memory>

namespace smarm {

class runtime_handle;

namespace detail {
[[nodiscard]] bool on_thread_of(const std::shared_ptr<void>& watchdog) noexcept;
} // namespace detail

class watchdog {
public:
  // Watches the runtime from one run to the next, until this object or the runtime goes. Throws
  // system_error: errc::invalid_config, with a text that names the field; std::system_error if the system
  // refuses the thread. Does not suspend.
  explicit watchdog(const runtime_handle& of, const watchdog_options& how = {});

  // Nothing is reported from here on. Blocks the thread for as long as a report is being given, unless it
  // is the sink itself that destroys it.
  ~watchdog();
  watchdog(watchdog&&) noexcept;
  watchdog& operator=(watchdog&&) noexcept;

private:
  friend bool detail::on_thread_of(const std::shared_ptr<void>& watchdog) noexcept;
  [[nodiscard]] bool on_its_thread() const noexcept;

  class body;
  std::unique_ptr<body> body_;
};

} // namespace smarm

#endif
