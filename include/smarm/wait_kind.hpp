// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#ifndef SMARM_WAIT_KIND_HPP
#define SMARM_WAIT_KIND_HPP

#include <cstdint>
#include <iosfwd>

namespace smarm {

//[wait_kind_outline
// What an actor waits for, for those who look from outside.
enum class wait_kind : std::uint8_t {
  nothing,    // it is ready or runs
  sleep,      // the end of a sleep
  join,       // the end of another actor
  message,    // a message
  select,     // one of several sources
  lock,       // a lock
  permit,     // a semaphore
  place,      // a place in a full task group
  condition,  // a condition variable
  reply,      // a reply
  descriptor, // a file descriptor
  operation,  // an Asio operation
  blocking,   // a blocking call
  room,       // room in a channel or an inbox
  resumption, // being resumed: a suspended server
  pool_reply  // a reply from a pool of workers
};
//]

// "a message", "a lock" ...
[[nodiscard]] const char* to_string(wait_kind kind) noexcept;
std::ostream& operator<<(std::ostream& out, wait_kind kind);

namespace detail {
using smarm::wait_kind;
} // namespace detail

} // namespace smarm

#endif
