// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Records what schedulers and actors do, from start() to stop(), and writes it as a file that Perfetto
// (https://ui.perfetto.dev) and chrome://tracing show:
//
//     (void)smarm::trace::start();
//     ...
//     smarm::trace::stop();
//     smarm::trace::write("run.json").value();
//
// For a whole run see config::trace_file. While nothing is recorded, each place that could record
// something costs one test of a flag.

#ifndef SMARM_TRACE_HPP
#define SMARM_TRACE_HPP

#include <smarm/pid.hpp>
#include <smarm/trace_event.hpp>

#include <boost/system/result.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace smarm::trace {

//[trace_outline
struct options {
  // What each scheduler, and all other threads together, can keep, 64 to 2^24; rounded up to a power
  // of two. An event takes 64 bytes. The newest overwrite the oldest.
  std::size_t events_per_thread = 16'384;
};

// Begins to record, for every runtime of the process; what was recorded before is dropped. Errors:
// invalid_config; not_supported where the library is built without traces; already_waiting if a trace
// is being recorded. Does not suspend.
[[nodiscard]] boost::system::result<void> start(const options& how = {});

// Ends that; what was recorded stays, until the next start. Does not suspend.
void stop() noexcept;

[[nodiscard]] bool recording() noexcept;

// How many events were overwritten so far.
[[nodiscard]] std::uint64_t lost();

// What is recorded, by time; also while recording goes on. Throws std::bad_alloc.
[[nodiscard]] std::vector<event> events();

// Which messages were sent to an actor or received by it, by the time of their sending. Throws
// std::bad_alloc.
[[nodiscard]] std::vector<message> messages_of(pid actor);

// Writes what is recorded in the JSON of the trace event format: a track for each scheduler and for each
// of the 1024 actors that have the most events, slices for what runs and waits, arrows from a wake to
// what it woke and from a send to its receipt. Errors: those of the system for a file that cannot be
// written; std::errc::io_error for a stream that fails. Throws std::bad_alloc. Blocks the thread, not
// only the actor.
[[nodiscard]] boost::system::result<void> write(std::ostream& out);
[[nodiscard]] boost::system::result<void> write(const std::string& path);
//]

} // namespace smarm::trace

#endif
