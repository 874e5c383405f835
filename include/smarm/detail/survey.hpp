// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who is still alive, and why: what a shutdown whose time is up has to tell.

#ifndef SMARM_DETAIL_SURVEY_HPP
#define SMARM_DETAIL_SURVEY_HPP

#include <vector>

namespace smarm {
struct survivor;
namespace detail {

class runtime_state;

// Every live actor, each looked at for itself while the others go on.
[[nodiscard]] std::vector<survivor> survey(runtime_state& runtime);

} // namespace detail
} // namespace smarm

#endif
