// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Stopping an actor: a request is a level that stays set for the rest of the actor's life, and is
// raised as an exception of type stop_unwind at the actor's next stop point. Stop points are waits,
// this_actor::yield and this_actor::checkpoint, and nothing else.

#ifndef SMARM_STOP_HPP
#define SMARM_STOP_HPP

#include <smarm/pid.hpp>

namespace smarm {

namespace detail {
struct slot;
[[noreturn]] void raise_stop(slot& me);
} // namespace detail

// What a stop is raised as. Not a std::exception, so that a handler for errors lets it pass. Code
// that catches it with `catch (...)` should rethrow; if it does not, the next stop point raises it
// again.
class stop_unwind {
  friend void detail::raise_stop(detail::slot& me);
  stop_unwind() noexcept = default;
};

// Asks an actor of the caller's runtime to stop. Returns at once; false if there is no such actor.
// A stopped actor ends as exit_kind::stopped. To a server that was asked to end before, and is in its
// terminate, it says that its time is up: the waits of terminate are stop points from then on. Not a
// stop point, even if the actor is the caller.
// Throws system_error(errc::not_in_actor) outside a runtime: runtime_handle works there.
bool request_stop(pid actor);

// Asks an actor of the caller's runtime to end cleanly: like request_stop, but it ends as
// exit_kind::shutdown, which restarts nothing and takes no linked actor along. An actor that traps
// exits is not stopped: it gets an exit signal of that kind from the caller, and ends when it will.
bool request_shutdown(pid actor);

} // namespace smarm

#endif
