// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who is still alive, and why: what a shutdown whose time is up has to tell.

#ifndef SMARM_DETAIL_SURVEY_HPP
#define SMARM_DETAIL_SURVEY_HPP

#include <string>
#include <vector>

namespace smarm {
class pid;
struct survivor;
namespace detail {

class runtime_state;
struct slot;

// Every live actor, each looked at for itself while the others go on.
[[nodiscard]] std::vector<survivor> survey(runtime_state& runtime);

// What that actor is doing, as survivor::text says it; empty if it has ended.
[[nodiscard]] std::string doing_of(runtime_state& runtime, slot& s, pid actor);

} // namespace detail
} // namespace smarm

#endif
