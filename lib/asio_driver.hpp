// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The event loop of a runtime: an io_context that its schedulers run by turns, and what else is waited
// for in it.

#ifndef SMARM_LIB_ASIO_DRIVER_HPP
#define SMARM_LIB_ASIO_DRIVER_HPP

#include "descriptor_set.hpp"
#include "handler_storage.hpp"

#include <smarm/detail/atomics.hpp>
#include <smarm/detail/deadline.hpp>
#include <smarm/detail/idle_counters.hpp>
#include <smarm/detail/parker.hpp>
#include <smarm/detail/reactor_driver.hpp>
#include <smarm/io_stats.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/basic_stream_descriptor.hpp>

#include <atomic>
#include <cstdint>

namespace smarm::detail {

class runtime_state;

class asio_loop {
public:
  // Throws boost::system::system_error if the system has no descriptors left.
  explicit asio_loop(runtime_state& owner);
  asio_loop(const asio_loop&) = delete;
  asio_loop& operator=(const asio_loop&) = delete;
  ~asio_loop();

  // As basic_reactor_driver wants them.
  void run(std::int64_t deadline) noexcept;
  bool poll() noexcept;
  void interrupt() noexcept;

  [[nodiscard]] io_stats stats() const noexcept; // anybody

  [[nodiscard]] boost::asio::io_context& context() noexcept { return context_; }
  [[nodiscard]] descriptor_set& descriptors() noexcept { return descriptors_; }

private:
  // So many handlers run before a busy scheduler looks at its actors again.
  static constexpr unsigned batch = 64;
  // So many that are ready at once make up for finding out that there are no more; how many there are
  // is counted at every so many looks.
  static constexpr unsigned worth_a_call = 4;
  static constexpr unsigned counted_every = 16;

  void expect(std::int64_t deadline) noexcept;
  void await_timer() noexcept;
  void await_descriptors() noexcept;
  template <class Run>
  std::size_t guarded(Run run) noexcept;

  using event_source =
      boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type>;

  // Written by who runs the loop, which is one at a time, the last by who interrupts, likewise.
  tally polls_, sleeps_, handlers_, interrupts_;

  runtime_state& owner_;
  handler_storage timer_storage_;
  handler_storage descriptors_storage_;
  handler_storage interrupt_storage_;
  descriptor_set descriptors_;
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  // The deadlines of all actors are one timer of the system: the loop's own timeouts are milliseconds.
  event_source timer_;
  event_source descriptor_events_;
  std::int64_t expected_ = no_deadline; // what the timer is set to; touched by who runs the loop
  unsigned lately_ready_ = 0; // handlers, at the last look to the end; these two as expected_
  unsigned looks_ = 0;
  bool timer_awaited_ = false;          // likewise
  // Set by who interrupts, cleared by the handler that ends the sleep: there is one at a time, which is
  // why it has room for ever. Acquire and release, for that room.
  std::atomic<bool> interrupted_{false};
};

using asio_driver = basic_reactor_driver<std_atomics, parker, asio_loop>;

// That of a runtime, which gets one at the first call. Throws as asio_loop's constructor does.
[[nodiscard]] asio_driver& asio_driver_of(runtime_state& owner);

} // namespace smarm::detail

#endif
