// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Where everybody is: what each actor of the process runs or waits for, and its stack. For a process
// that hangs, say so when it starts
//
//     smarm::dump_stacks_on(SIGQUIT).value();
//
// and press Ctrl-\ or kill -QUIT when it does. Functions of the program itself have names if it is
// linked with -rdynamic; without, addr2line -f -e PROGRAM finds them by the addresses.

#ifndef SMARM_DUMP_STACKS_HPP
#define SMARM_DUMP_STACKS_HPP

#include <boost/system/result.hpp>

#include <csignal>
#include <iosfwd>

namespace smarm {

//[dump_stacks_outline
// Writes all schedulers and actors of all runtimes: label, what it runs or waits for, stack. An actor
// that waits is kept from going on for the few microseconds that its stack is looked at; a thread that
// runs one is interrupted by SIGURG. From any thread, or from an actor; from neither a signal handler
// nor the sink of a report. Throws std::bad_alloc. Blocks the thread, not only the actor.
void dump_stacks(std::ostream& out);
void dump_stacks(int descriptor);

// From now on each such signal writes them there, by a thread of its own: it works however busy or
// stuck the schedulers are. The signal does nothing else any more. Errors: already_waiting if it is so
// already; the system's for a signal that cannot be caught, or if it refuses the thread.
[[nodiscard]] boost::system::result<void> dump_stacks_on(int signal = SIGQUIT,
                                                         int descriptor = 2);

// Ends that: the signal does what it did before. What was asked for by then is written first. Not at the
// same time from several threads.
void no_stack_dumps() noexcept;
//]

} // namespace smarm

#endif
