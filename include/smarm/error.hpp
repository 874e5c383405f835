// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What can go wrong and is expected to: the values that smarm's functions return in a
// boost::system::result or an error_code. Compare with smarm::errc for the exact reason, or with
// boost::system::errc for the general one (a deadline is boost::system::errc::timed_out).

#ifndef SMARM_ERROR_HPP
#define SMARM_ERROR_HPP

#include <smarm/detail/config.hpp>

#include <boost/system/error_category.hpp>
#include <boost/system/error_code.hpp>

#include <type_traits>

namespace smarm {

//[errc_outline
// The numbers are part of the interface: they are never changed and never used again.
enum class errc : int {
  // Limits of the runtime and of the machine.
  too_many_actors = 1,     // every slot of the actor table is taken
  too_many_schedulers = 2, // more scheduler threads asked for than the runtime can have
  out_of_stacks = 3,       // the system gives no more guarded stacks
  out_of_memory = 4,       // an allocation failed
  too_many_children = 5,   // the supervisor has as many children as it may have
  out_of_threads = 6,      // the system gives no thread for blocking calls, and there is none

  // Calls that can never be right where they were made.
  invalid_config = 20,        // a configuration value is out of its range
  not_supported = 21,         // this system or this build cannot do it
  not_in_actor = 22,          // only an actor can make this call
  would_block_scheduler = 23, // the call would block the thread that must answer it
  nested_run = 24,            // a runtime was started from inside a runtime
  calling_self = 25,          // a server called itself and would wait for itself
  would_deadlock = 26,        // the caller would wait for itself: it holds what it wants
  already_waiting = 27,       // somebody else waits there, and only one can
  owner_ended = 28,           // who holds it has ended, and will not give it back
  count_out_of_range = 29,    // more were counted than there are
  wrong_state = 30,           // the machine is in another state
  already_answered = 31,      // the call has its answer, or its reply_to was moved away
  nested_blocking = 32,       // the caller is on a thread of the blocking pool already

  // Nobody there.
  no_process = 40, // the pid's actor has ended, or never was
  unresolved = 41, // nobody is registered under the name
  no_channel = 42, // the actor takes no messages of this type
  no_member = 43,  // the process group has no live member
  name_taken = 44, // another live actor holds the name
  no_child = 45,   // the supervisor has no child of this id

  // Waiting and handing over.
  closed = 60,     // the other side of the channel is gone
  empty = 61,      // nothing to take at the moment
  queue_full = 62, // no room for one more at the moment
  timed_out = 63,  // the deadline passed first
  expired = 64,    // the request's deadline had passed before the server took it up
  dropped = 65,    // the server's inbox was full, and the request was thrown away

  // Servers and their life.
  server_down = 80,     // the server ended before it answered
  runtime_down = 81,    // the runtime is shut down, or not yet running
  start_ignored = 82,   // the starting server's init chose not to run
  start_failed = 83,    // the starting server's init failed
  already_started = 84, // the child is running already
  already_present = 85, // the supervisor has a child of this id already, which does not run
  child_restarting = 86, // the supervisor is about to start the child anew
};
//]

[[nodiscard]] const boost::system::error_category& error_category() noexcept;

[[nodiscard]] inline boost::system::error_code make_error_code(errc code) noexcept {
  return {static_cast<int>(code), error_category()};
}

} // namespace smarm

template <>
struct boost::system::is_error_code_enum<smarm::errc> : std::true_type {};

#endif
