// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The text form of a pid.

#include <smarm/pid.hpp>

#include <ostream>
#include <string>

namespace smarm {

std::ostream& operator<<(std::ostream& out, const pid& p) {
  // One insertion, so that the stream's width counts for the whole and its base not at all.
  if (p.is_valid()) {
    return out << '<' + std::to_string(p.index_) + '.' + std::to_string(p.generation_) + '>';
  }
  return out << (p == pid::root() ? "<root>" : "<none>");
}

} // namespace smarm
