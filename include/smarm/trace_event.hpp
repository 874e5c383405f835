// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a trace consists of, see trace.hpp.

#ifndef SMARM_TRACE_EVENT_HPP
#define SMARM_TRACE_EVENT_HPP

#include <smarm/exit_reason.hpp>
#include <smarm/pid.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace smarm::trace {

//[trace_event_outline
enum class event_kind : std::uint8_t {
  spawn,   // `actor` was made ready for the first time, by `other`
  wake,    // `actor` was made ready again, by `other`
  timer,   // the wake that follows is that of a timer
  resume,  // `actor` was given the processor
  yield,   // it gave the processor up and stays ready
  park,    // it waits, for `text`
  end,     // it ended, as `ending` says
  steal,   // it was taken over from another scheduler
  send,    // `actor` sent the message `message`, of the type `text`, into a channel
  cast,    // the same, a cast to the server `other`
  call,    // the same, a call of the server `other`
  receive, // `actor` took that message
  pass_over, // a selective receive of `actor` left it in a bounded channel; from here on it is `renamed`
  io,      // handlers of the runtime's io_context were run, `count` of them
  restart, // the supervisor `actor` restarts a child: `text`
};

// Where `actor` or `other` is none it was a plain thread, or a scheduler on no actor's behalf.
struct event {
  static constexpr unsigned outside = 0xffff'ffff;

  std::chrono::steady_clock::time_point at;
  event_kind what = event_kind::spawn;
  pid actor;
  pid other;
  unsigned scheduler = outside; // on which it was; `outside`: on another thread
  int thread = 0;               // then that one's system-wide number
  std::uint64_t message = 0;    // names it from its sending to its receipt, then it may name another
  std::uint64_t renamed = 0;
  std::uint64_t count = 0;
  exit_kind ending = exit_kind::normal;
  std::string text;
};

// One message, as messages_of() shows it.
struct message {
  event_kind how = event_kind::send; // send, cast or call
  pid from;                          // none: see event; or its sending is not in the trace
  pid to;
  std::string type;
  std::chrono::steady_clock::time_point sent;     // zero: its sending is not in the trace
  std::chrono::steady_clock::time_point received; // zero: it has not been received
};
//]

[[nodiscard]] const char* to_string(event_kind what) noexcept;

} // namespace smarm::trace

#endif
