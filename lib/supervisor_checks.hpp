// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What cannot be right in the options of a supervisor and in the specs of its children.

#ifndef SMARM_LIB_SUPERVISOR_CHECKS_HPP
#define SMARM_LIB_SUPERVISOR_CHECKS_HPP

#include <smarm/child_spec.hpp>
#include <smarm/supervisor_options.hpp>

#include <string>
#include <vector>

namespace smarm::detail {

// Each says what is wrong first, by field and, if it is a child's, by child; empty if nothing is.
[[nodiscard]] std::string options_trouble(const supervisor_options& options);
// `ended_for_others`: the child may be ended since a sibling is started anew.
[[nodiscard]] std::string child_trouble(const supervisor_options& options, const child_spec& spec,
                                        bool ended_for_others);
[[nodiscard]] std::string tree_trouble(const supervisor_options& options,
                                       const std::vector<child_spec>& children);

// Throws boost::system::system_error, errc::invalid_config, unless that is empty.
void refuse_if(const char* call, const std::string& trouble);

} // namespace smarm::detail

#endif
