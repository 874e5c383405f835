// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Giving an actor up that does not end: for everybody else it has ended.

#ifndef SMARM_DETAIL_ABANDON_HPP
#define SMARM_DETAIL_ABANDON_HPP

#include <smarm/exit_reason.hpp>
#include <smarm/pid.hpp>

namespace smarm::detail {

struct slot;

// Takes the names, groups and inboxes of a live actor away, and tells those who monitor it, or are
// linked with it, that it has ended for that reason. From then on it is to others as if it had ended:
// who monitors it, or links with it, hears so at once, and it gets no name and no group any more; when
// it does end nobody is told. False, and nothing was done: it has ended, or is about to, or was
// abandoned before. From any thread.
bool abandon(slot& where, pid actor, const exit_reason& reason) noexcept;

} // namespace smarm::detail

#endif
