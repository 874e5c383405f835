// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who is still alive, and why: what a shutdown whose time is up has to tell.

#ifndef SMARM_DETAIL_SURVEY_HPP
#define SMARM_DETAIL_SURVEY_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace smarm {
class pid;
struct survivor;
namespace detail {

class runtime_state;
struct slot;
enum class slot_state : std::uint8_t;

// What a parked actor waits for, as far as can be told.
[[nodiscard]] std::string wait_text(runtime_state& runtime, const slot& s, slot_state how);

// Every live actor, each looked at for itself while the others go on.
[[nodiscard]] std::vector<survivor> survey(runtime_state& runtime);

// What that actor is doing, as survivor::text says it; empty if it has ended.
[[nodiscard]] std::string doing_of(runtime_state& runtime, slot& s, pid actor);

} // namespace detail
} // namespace smarm

#endif
