// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What sys::statistics says of a server.

#ifndef SMARM_SYS_STATISTICS_HPP
#define SMARM_SYS_STATISTICS_HPP

#include <smarm/bounded.hpp>
#include <smarm/pid.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace smarm::sys {

//[sys_statistics_outline
// What a server has taken up, by kind.
struct handled_counts {
  std::uint64_t calls = 0;    // with those that had expired
  std::uint64_t deferred = 0; // of these: whose answer does not come with the handler's return
  std::uint64_t casts = 0;
  std::uint64_t infos = 0;
  std::uint64_t downs = 0;
  std::uint64_t timers = 0;
  std::uint64_t replies = 0; // answers to calls of its own
  std::uint64_t continuations = 0;
  std::uint64_t idle = 0;     // idle windows that passed
  std::uint64_t internal = 0; // what a machine has told itself
};

struct server_statistics {
  pid server;
  std::string type;                              // the name of its class
  std::chrono::system_clock::time_point started; // to about a second
  bool suspended = false;
  bool traced = false;
  std::size_t queued = 0;    // calls and casts in its inbox now
  std::size_t postponed = 0; // events that it keeps until its state changes: only a gen_statem does
  std::size_t capacity = 0;  // so many fit in; 0: no limit
  overflow_counts overflows;
  std::uint64_t expired = 0;  // calls skipped since their deadline had passed
  std::uint64_t received = 0; // messages that its actor took from whatever inbox, since its start

  // A server counts by kind from when it is first looked at by any function of sys, or from its start
  // if its inbox is limited, so that the others do not pay for it.
  handled_counts handled;
  std::chrono::system_clock::time_point handled_since;

  // For people, in several lines.
  friend std::ostream& operator<<(std::ostream& out, const server_statistics& s);
};
//]

} // namespace smarm::sys

#endif
