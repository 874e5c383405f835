// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#ifndef SMARM_BEHAVIOUR_KIND_HPP
#define SMARM_BEHAVIOUR_KIND_HPP

#include <cstdint>
#include <iosfwd>

namespace smarm {

//[behaviour_kind_outline
// What sort of actor it is.
enum class behaviour_kind : std::uint8_t {
  none, // a function of its own, or a typed actor
  gen_server,
  gen_statem,
  supervisor // of whichever sort
};
//]

// "actor", "gen_server", "gen_statem", "supervisor"
[[nodiscard]] const char* to_string(behaviour_kind kind) noexcept;
std::ostream& operator<<(std::ostream& out, behaviour_kind kind);

} // namespace smarm

#endif
