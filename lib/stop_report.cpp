// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/stop_report.hpp>

#include "duration_text.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>

namespace smarm {

bool stop_report::clean() const noexcept {
  return !failed && survivors.empty() &&
         std::all_of(roots.begin(), roots.end(), [](const root& r) { return r.in_time; });
}

std::ostream& operator<<(std::ostream& out, const stop_report& r) {
  out << r.application << ": ended in " << detail::duration_text(r.took)
      << (r.clean() ? ", in good order: " : ", NOT in good order: ") << r.cause << '\n';
  std::size_t width = 0;
  for (const stop_report::root& one : r.roots) {
    width = std::max(width, one.id.size());
  }
  for (const stop_report::root& one : r.roots) {
    out << "  " << std::left << std::setw(static_cast<int>(width)) << one.id << "  "
        << (one.ended ? "ended in " : "DID NOT END in ") << detail::duration_text(one.took);
    if (!one.in_time) {
      out << ", TOO LATE";
    }
    if (one.ended) {
      out << ": " << one.reason.text();
    }
    out << '\n';
  }
  for (const survivor& one : r.survivors) {
    out << "  still there: " << one << '\n';
  }
  return out;
}

} // namespace smarm
