// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/observer.hpp>

#include <smarm/introspect.hpp>

#include <ostream>

namespace smarm {

runtime_snapshot observer::handle_call(snapshot) const { return introspect::snapshot(); }
actor_tree observer::handle_call(tree) const { return introspect::tree(); }
std::optional<smarm::actor_info> observer::handle_call(actor_info request) const {
  return introspect::actor_info(request.actor);
}
std::vector<scheduler_info> observer::handle_call(schedulers) const {
  return introspect::schedulers();
}
runtime_stats observer::handle_call(statistics) const { return introspect::statistics(); }

void observer::describe(std::ostream& out) const { out << "observes its runtime"; }

} // namespace smarm
