// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The places that record something look at one flag and call, if it is set, what is in trace.cpp.
// Built with SMARM_TRACE=0 (b2 smarm-trace=off) they do not even look.

#ifndef SMARM_DETAIL_TRACE_HPP
#define SMARM_DETAIL_TRACE_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/handover.hpp>
#include <smarm/detail/trace_ring.hpp>
#include <smarm/trace_event.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#ifndef SMARM_TRACE
#define SMARM_TRACE 1
#endif

namespace smarm::detail {

struct scheduler;
struct slot;

inline constexpr bool tracing = SMARM_TRACE != 0;

using trace::event_kind;

// Which recording is going on; 0: none. Written by trace::start and trace::stop, under their lock; who
// finds it set asks again under that lock before it adds to what the recording owns.
extern std::atomic<std::uint32_t> trace_session;

[[nodiscard]] SMARM_ALWAYS_INLINE bool is_tracing() noexcept {
  if constexpr (tracing) {
    return SMARM_UNLIKELY(trace_session.load(std::memory_order_relaxed) != 0);
  } else {
    return false;
  }
}

using trace_ring = basic_trace_ring<std_atomics, 8>;

// A scheduler's part in the recording: touched by its thread alone.
struct trace_place {
  std::uint32_t session = 0; // the one that the ring is of
  std::shared_ptr<trace_ring> ring;
};

// All of these from any thread, and from any place where something is recorded: they neither switch
// nor throw. What there is no memory for is left out.

// Of the actor in the slot; `other` is whichever actor runs here.
[[gnu::cold]] SMARM_NOINLINE void trace_actor(event_kind what, const slot& whom) noexcept;
// The same, but nobody's doing.
[[gnu::cold]] SMARM_NOINLINE void trace_own_wake(const slot& whom) noexcept;
[[gnu::cold]] SMARM_NOINLINE void trace_switch(const slot& from, const slot& to,
                                               handover how) noexcept;
// Of whichever actor runs here, into a channel or out of it. The message is named by a number, or by where
// it is.
[[gnu::cold]] SMARM_NOINLINE void trace_message(event_kind what, std::uint64_t message,
                                                const char* type) noexcept;
[[gnu::cold]] SMARM_NOINLINE void trace_message(event_kind what, const void* message,
                                                const char* type) noexcept;
// From here on it is named by where it is now.
[[gnu::cold]] SMARM_NOINLINE void trace_passed_over(std::uint64_t message,
                                                    const void* now) noexcept;
[[gnu::cold]] SMARM_NOINLINE void trace_io(std::uint64_t count) noexcept;
[[gnu::cold]] SMARM_NOINLINE void trace_restart(const std::string& child) noexcept;
// The actor's label is, or was, that.
[[gnu::cold]] SMARM_NOINLINE void trace_label(const slot& whom, const std::string& label) noexcept;

struct request_node;
// A request to the server in that slot, which is about to be queued; and its receipt by who runs here.
[[gnu::cold]] SMARM_NOINLINE void trace_request(request_node& request, const slot& server,
                                                std::uint32_t generation) noexcept;
[[gnu::cold]] SMARM_NOINLINE void trace_taken(request_node& request) noexcept;

} // namespace smarm::detail

#endif
