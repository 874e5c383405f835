// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One event of a scheduler, as runtime::trace() returns it where the library is built with traces
// (b2 smarm-trace=on).

#ifndef SMARM_TRACE_RECORD_HPP
#define SMARM_TRACE_RECORD_HPP

#include <smarm/pid.hpp>

#include <cstdint>

namespace smarm {

//[trace_outline
enum class trace_event : std::uint8_t {
  spawn,  // the actor was made ready for the first time
  resume, // it was given the processor
  yield,  // it gave the processor up and stays ready
  park,   // it waits
  wake,   // it was woken
  end,    // it ended
  steal,  // it was taken over from another scheduler
};

struct trace_record {
  std::uint64_t cycles = 0; // the time-stamp counter
  trace_event what = trace_event::spawn;
  pid actor;
  std::uint32_t scheduler = 0; // the one that recorded it
};
//]

[[nodiscard]] const char* to_string(trace_event what) noexcept;

} // namespace smarm

#endif
