// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What sys::trace shows of a server: each thing that it takes up, and what became of it.

#ifndef SMARM_SYS_EVENT_HPP
#define SMARM_SYS_EVENT_HPP

#include <smarm/pid.hpp>

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <typeinfo>

namespace smarm::sys {

//[sys_event_outline
enum class event_kind : std::uint8_t {
  none,
  call,
  cast,
  info,         // a message of a channel, see gen_server::receive_info
  down,         // of an actor that the server watches
  timer,        // of a machine: a timeout
  reply,        // the answer to a call of its own, see gen_server::expect
  continuation, // see gen_server::continue_with
  idle,         // its idle window has passed
  internal,     // what a machine has told itself, see gen_statem::next_event
  ended         // the server has: the last event
};

enum class event_stage : std::uint8_t {
  received,  // the handler is about to be called
  handled,   // it has returned; a call is answered later, by its smarm::reply_to
  replied,   // it has returned the answer to a call
  expired,   // a call was skipped, since its deadline had passed
  postponed, // the machine keeps it until its state has changed
  retried    // the machine takes up again what it had postponed
};

struct event {
  pid server;
  event_kind kind = event_kind::none;
  event_stage stage = event_stage::received;
  const std::type_info* type = nullptr; // of the request, message, payload or tag, if there is one

  // For people: "<3.1> received a call of bank::balance".
  friend std::ostream& operator<<(std::ostream& out, const event& e);
};

// Called in the server's actor, with stops masked, between what it handles. It may send, cast and log,
// and should be short. One that throws is not called again, which a report says.
using trace_sink = std::function<void(const event&)>;
//]

[[nodiscard]] const char* to_string(event_kind kind) noexcept;
[[nodiscard]] const char* to_string(event_stage stage) noexcept;

} // namespace smarm::sys

#endif
