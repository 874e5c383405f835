// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a supervisor tells of its children.

#ifndef SMARM_CHILD_INFO_HPP
#define SMARM_CHILD_INFO_HPP

#include <smarm/child_spec.hpp>
#include <smarm/pid.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace smarm {

enum class child_state : unsigned char {
  running,
  restarting, // it has ended, and is to be started anew
  ended,      // it has ended for good, was ended by terminate_child, or its init chose not to run
};

//[child_info_outline
struct child_info {
  std::string id;
  pid actor; // none if it does not run
  child_state state = child_state::ended;
  child_type type = child_type::worker;
  smarm::restart restart = smarm::restart::permanent;
  std::uint64_t restarts = 0; // of this child, for whichever reason
};

struct child_count {
  std::size_t specs = 0;
  std::size_t active = 0;      // those of them that run
  std::size_t supervisors = 0; // those of them that are supervisors, whether they run or not
  std::size_t workers = 0;
  std::uint64_t restarts = 0;  // that the supervisor has made so far
  std::uint64_t abandoned = 0; // children that did not end when they were stopped
};
//]

[[nodiscard]] const char* to_string(child_state s) noexcept;

} // namespace smarm

#endif
