// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "duration_text.hpp"

#include <sstream>
#include <utility>

namespace smarm::detail {

std::string duration_text(std::chrono::nanoseconds d) {
  if (d == std::chrono::nanoseconds::max()) {
    return "infinity";
  }
  std::ostringstream text;
  if (d >= std::chrono::seconds(1)) {
    text << static_cast<double>(d.count()) / 1e9 << " s";
  } else {
    text << static_cast<double>(d.count()) / 1e6 << " ms";
  }
  return std::move(text).str();
}

} // namespace smarm::detail
