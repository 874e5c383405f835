// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Where another thread is right now: what a report about an actor that will not give up the
// processor has to show.

#ifndef SMARM_DETAIL_THREAD_BACKTRACE_HPP
#define SMARM_DETAIL_THREAD_BACKTRACE_HPP

#include <pthread.h>

#include <string>
#include <vector>

namespace smarm::detail {

// The frames of a thread, innermost first, one line each, as frame_text() says it. Interrupts the thread by SIGURG, whose handler is put back
// afterwards. Empty if the thread does not answer within a tenth of a second, or is the caller.
[[nodiscard]] std::vector<std::string> backtrace_of(pthread_t thread);

} // namespace smarm::detail

#endif
