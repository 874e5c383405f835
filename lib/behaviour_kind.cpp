// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/behaviour_kind.hpp>

#include <ostream>

namespace smarm {

const char* to_string(behaviour_kind kind) noexcept {
  switch (kind) {
  case behaviour_kind::none: return "actor";
  case behaviour_kind::gen_server: return "gen_server";
  case behaviour_kind::gen_statem: return "gen_statem";
  case behaviour_kind::supervisor: return "supervisor";
  }
  return "unknown";
}

std::ostream& operator<<(std::ostream& out, behaviour_kind kind) { return out << to_string(kind); }

} // namespace smarm
