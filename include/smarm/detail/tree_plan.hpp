// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A supervisor that is described, and can be started in several ways.

#ifndef SMARM_DETAIL_TREE_PLAN_HPP
#define SMARM_DETAIL_TREE_PLAN_HPP

#include <smarm/child_spec.hpp>
#include <smarm/child_start.hpp>
#include <smarm/runtime.hpp>
#include <smarm/supervisor.hpp>
#include <smarm/supervisor_options.hpp>

#include <boost/system/result.hpp>

#include <vector>

namespace smarm::detail {

struct tree_plan {
  supervisor_options supervisor;
  std::vector<child_spec> children;

  [[nodiscard]] boost::system::result<supervisor_ref> start() const {
    return start_supervisor(supervisor, children);
  }
  [[nodiscard]] boost::system::result<supervisor_ref> start(const runtime_handle& runtime) const {
    return start_supervisor(runtime, supervisor, children);
  }
  [[nodiscard]] child_start as_child() const { return supervision_tree(supervisor, children); }
};

} // namespace smarm::detail

#endif
