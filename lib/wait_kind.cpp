// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/wait_kind.hpp>

#include <ostream>

namespace smarm {

const char* to_string(wait_kind kind) noexcept {
  switch (kind) {
  case wait_kind::nothing: return "nothing";
  case wait_kind::sleep: return "the end of a sleep";
  case wait_kind::join: return "the end of another actor";
  case wait_kind::message: return "a message";
  case wait_kind::select: return "one of several sources";
  case wait_kind::lock: return "a lock";
  case wait_kind::permit: return "a semaphore";
  case wait_kind::place: return "a place in a full task group";
  case wait_kind::condition: return "a condition variable";
  case wait_kind::reply: return "a reply";
  case wait_kind::descriptor: return "a file descriptor";
  case wait_kind::operation: return "an asynchronous operation";
  case wait_kind::blocking: return "a blocking call";
  case wait_kind::room: return "room in a channel or an inbox";
  case wait_kind::resumption: return "being resumed, see sys::resume";
  case wait_kind::pool_reply: return "a reply from a pool of workers";
  }
  return "something unknown";
}

std::ostream& operator<<(std::ostream& out, wait_kind kind) { return out << to_string(kind); }

} // namespace smarm
