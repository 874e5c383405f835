// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a runtime can be told when it is made: an aggregate whose members all have a documented
// default, so that only what differs is named:
//
//     smarm::runtime rt{{.schedulers = 4, .max_actors = 10'000}};

#ifndef SMARM_CONFIG_HPP
#define SMARM_CONFIG_HPP

#include <smarm/report.hpp>
#include <smarm/watchdog_options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace smarm {

//[config_outline
// How the lower end of a stack is guarded.
enum class stack_guard : std::uint8_t {
  automatic,    // guard regions where the kernel has them (Linux 6.13), else mappings
  guard_region, // MADV_GUARD_INSTALL: any number of stacks; refused where the kernel lacks it
  mapping,      // inaccessible mappings: two per stack, vm.max_map_count bounds them
};

// What the destructor of a runtime does about actors that cannot be ended.
enum class zombie_policy : std::uint8_t {
  abort, // names them on standard error and aborts: their stacks may refer to what dies now
  leak,  // reports them and leaves the runtime's threads and memory behind
};

struct config {
  // Threads that run actors, 1 to 64. 0: one for each hardware thread, at most 64.
  unsigned schedulers = 0;

  // Actors that may live at once, 1 to 4294967294. A limit, not an allocation. Exact up to 65535;
  // above that each scheduler may keep up to 256 free slots at hand, which others cannot use.
  std::size_t max_actors = 1'048'576;

  // Address space of an actor's stack, in bytes, 16 KiB to 1 GiB; rounded up to pages. Only what is
  // touched becomes memory.
  std::size_t stack_size = 256 * 1024;

  // Inaccessible bytes below each stack, 4 KiB to 1 GiB; rounded up to pages.
  std::size_t guard_size = 64 * 1024;

  stack_guard guard = stack_guard::automatic;

  // Stacks that keep their memory when no actor is on them, for all schedulers together, 0 to 2^24.
  // What is above that is given back to the system at once, which costs several microseconds each
  // time; what is below stays for the next burst: a few KiB each.
  std::size_t warm_stacks = 131'072;

  // How long an actor may run before checkpoint() yields, in time-stamp counter cycles, from 1000.
  std::uint64_t timeslice_cycles = 300'000;

  // How often a busy scheduler looks at due timers and at the idle driver, in the same cycles, from
  // 1000.
  std::uint64_t poll_cycles = 60'000;

  // An actor woken by another goes to the front, into a slot of one; after 64 such hand-overs in a row
  // the queue is served once. Good for pairs that talk much, bad for parents that collect many answers.
  bool wake_slot = false;

  // How long one idle scheduler spins in search of work before it sleeps, up to 1 ms. A sleeper
  // costs its waker a system call of several microseconds.
  std::chrono::nanoseconds search_time = std::chrono::microseconds(5);

  // While some scheduler is busy, one sleeper looks again after so long, and then less often, down to
  // every 500 us, for what waits alone behind a long-running actor: 10 us to 1 s.
  std::chrono::nanoseconds standby_interval = std::chrono::microseconds(100);

  // Where timers come thick, a sleeping scheduler wakes for several at once: those due within so
  // long after one for which it woke share the next wake-up, and are at most that late. A timer that
  // comes alone is not kept waiting. 0, each has its own wake-up, to 10 ms.
  std::chrono::nanoseconds timer_slack = std::chrono::microseconds(100);

  // Threads for smarm::blocking, 1 to 4096: so many calls run at once, the others wait. They are
  // started when they are needed.
  unsigned blocking_threads = 64;

  // Calls that may wait for such a thread, from 1. One more is refused: errc::queue_full.
  std::size_t blocking_queue = 65'536;

  // After so long without work such a thread ends, 0 to a year.
  std::chrono::nanoseconds blocking_idle_time = std::chrono::seconds(10);

  // Names an actor that overflows its stack, on standard error, before the process dies as it
  // would anyway. Installs a handler for SIGSEGV and SIGBUS that hands on to the one before it; once in
  // a process, so that it outlives the runtime.
  bool report_stack_overflow = true;

  // Receives every abnormal ending and every trouble the runtime has to tell of. Empty: one line
  // each on standard error. See report.hpp for what a sink may do.
  report_sink reports = {};

  // So many reports of each kind, the newest, are kept for introspect::recent_reports, 0 to 65536.
  std::size_t kept_reports = 32;

  // How long the destructor waits for actors to end before it calls them zombies; from 0.
  std::chrono::nanoseconds destructor_grace = std::chrono::seconds(5);
  zombie_policy zombies = zombie_policy::abort;

  // Where a trace of each run is written when it ends, see trace.hpp; empty: nowhere. If somebody else
  // records already, that goes on, and nothing is written.
  std::string trace_file = {};

  // Each run is watched for trouble by a thread of its own, see watchdog.hpp. None: it is not.
  std::optional<watchdog_options> watchdog = {};

  // The scheduler threads that the runtime makes are called this and their number in debuggers and
  // /proc, those for smarm::blocking this and "-blk". At most 11 bytes.
  std::string thread_name = "smarm";
};
//]

namespace detail {
// What may be asked for, here and in spawn_options, in bytes.
inline constexpr std::size_t least_stack_size = std::size_t{16} << 10;
inline constexpr std::size_t most_stack_size = std::size_t{1} << 30;
inline constexpr std::size_t least_guard_size = std::size_t{4} << 10;
inline constexpr std::size_t most_guard_size = std::size_t{1} << 30;

// The same configuration with every default filled in. Throws boost::system::system_error with
// errc::invalid_config (too_many_schedulers for more than 64) and a text that names the field, its
// value and the allowed range.
[[nodiscard]] config validated(config c);
} // namespace detail

} // namespace smarm

#endif
