// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Figures of a runtime's event loop.

#ifndef SMARM_IO_STATS_HPP
#define SMARM_IO_STATS_HPP

#include <cstddef>
#include <cstdint>

namespace smarm {

//[io_stats_outline
// All zero until something is awaited that is not an actor. Counted since the runtime was made.
struct io_stats {
  std::uint64_t polls = 0;      // looks of busy schedulers
  std::uint64_t sleeps = 0;     // times that an idle scheduler waited in the loop
  std::uint64_t handlers = 0;   // that ran: completions, and the loop's own
  std::uint64_t interrupts = 0; // times that a sleeper in the loop was woken for other work
  std::size_t descriptors_waited_for = 0; // now: waits of actors for raw descriptors
};
//]

} // namespace smarm

#endif
