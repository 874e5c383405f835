// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// All runtimes of the process: for those who look at it as a whole, a debugger among them, which
// finds it by its name.

#ifndef SMARM_DETAIL_RUNTIME_LIST_HPP
#define SMARM_DETAIL_RUNTIME_LIST_HPP

#include <mutex>

namespace smarm::detail {

class runtime_state;

// The first of them, the others linked by next_in_process. Under the lock, which whoever looks at them
// holds: none of them goes meanwhile.
extern runtime_state* all_runtimes;
extern std::mutex all_runtimes_lock;

// In its constructor and its destructor. Gives it its number, which no other has or had.
void enter_runtime_list(runtime_state& fresh) noexcept;
void leave_runtime_list(runtime_state& gone) noexcept;

} // namespace smarm::detail

#endif
