// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How the end of an application went: what an operator wants to know of it afterwards.

#ifndef SMARM_STOP_REPORT_HPP
#define SMARM_STOP_REPORT_HPP

#include <smarm/exit_reason.hpp>
#include <smarm/runtime.hpp>

#include <chrono>
#include <iosfwd>
#include <string>
#include <vector>

namespace smarm {

//[stop_report_outline
struct stop_report {
  struct root {
    std::string id = {};
    std::chrono::nanoseconds took{}; // from being asked to end
    bool ended = true;
    bool in_time = true; // it was not stopped for the time that it took
    exit_reason reason = {};
  };

  std::string application = {};
  std::string cause = {}; // "SIGTERM", or what else it was
  bool failed = false;    // a root did not start, or ended otherwise than normally by itself
  std::chrono::nanoseconds took{};
  std::vector<root> roots = {};         // in the order in which they were ended
  std::vector<survivor> survivors = {}; // actors that were still there at the end of run()

  // It ended as it should.
  [[nodiscard]] bool clean() const noexcept;

  // Several lines for people, each root's time, and who did not end and what it waits for.
  friend std::ostream& operator<<(std::ostream& out, const stop_report& r);
};
//]

} // namespace smarm

#endif
