// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a watchdog takes for trouble, see watchdog.hpp.

#ifndef SMARM_WATCHDOG_OPTIONS_HPP
#define SMARM_WATCHDOG_OPTIONS_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace smarm {

//[watchdog_options_outline
// Of a limit that is 0 nothing is looked for.
struct watchdog_options {
  // How often it looks, 1 ms to 1 h.
  std::chrono::nanoseconds interval = std::chrono::milliseconds(500);

  // An actor has run for so long without a stop point, a wait or a checkpoint.
  std::chrono::nanoseconds long_slice = std::chrono::seconds(1);

  // A scheduler has computed for so long on no actor's behalf, or is blocked there: in a handler of an
  // Asio operation, a destructor of a message that a timer was to deliver, or a function of
  // run_on_thread_stack.
  std::chrono::nanoseconds slow_handler = std::chrono::seconds(1);

  // A server or state machine, also a supervisor, has waited for so long inside a callback, and serves
  // nobody meanwhile.
  std::chrono::nanoseconds blocked_handler = std::chrono::seconds(10);

  // A server has so many calls and casts queued, or any actor so many messages in the inboxes that it has
  // published. Told again after there were half as many or fewer.
  std::size_t long_inbox = 10'000;

  // A parked actor uses so many percent of its stack, at most 100.
  unsigned stack_percent = 85;

  // An actor was asked to stop or to shut down so long ago and has not ended.
  std::chrono::nanoseconds unanswered_stop = std::chrono::seconds(30);

  // An actor has waited for so long for what does not come: for a lock that an actor held which has ended
  // since, or in a circle of actors that wait for each other's ends, locks, replies, starts and room in
  // inboxes (for the locks that each of them held when the wait of the other began).
  std::chrono::nanoseconds stuck = std::chrono::seconds(10);

  // An actor wakes up so often in a second and takes no message: it waits in a loop of short sleeps or
  // timeouts, or of yields.
  std::uint64_t wakes_per_second = 100'000;
};
//]

namespace detail {
// The same options if they are allowed. Throws boost::system::system_error with errc::invalid_config and
// a text that names the field.
[[nodiscard]] watchdog_options validated(const watchdog_options& how);
} // namespace detail

} // namespace smarm

#endif
