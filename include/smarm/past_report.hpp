// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a runtime has told its sink of, and still knows.

#ifndef SMARM_PAST_REPORT_HPP
#define SMARM_PAST_REPORT_HPP

#include <smarm/report.hpp>

#include <chrono>
#include <string>

namespace smarm {

//[past_report_outline
struct past_report {
  std::chrono::system_clock::time_point at{};
  report what; // its reason without the exception, which is not kept for this; the text has what it says
  std::string parent_label = {}; // of report::parent, if that lived then
};
//]

} // namespace smarm

#endif
