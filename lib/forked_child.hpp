// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An actor that forks is there twice. The one in the child has no siblings, and shares its parent's event
// loop: whatever it took from there its parent would miss. So the child ends, with a line that says so, when
// it goes on into the runtime instead of calling exec or _exit. A blocking call that forks has a child
// without any scheduler, to which it would return.

#ifndef SMARM_LIB_FORKED_CHILD_HPP
#define SMARM_LIB_FORKED_CHILD_HPP

namespace smarm::detail {

// From now on; once in a process.
void watch_for_forks() noexcept;

// Called by schedulers where they look around, and after blocking calls. In a child it does not return.
void end_forked_child() noexcept;

// Whether the caller is on a thread for blocking calls, of whichever runtime; the pool's.
[[nodiscard]] bool on_blocking_thread() noexcept;

} // namespace smarm::detail

#endif
