// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server that answers what smarm::introspect answers, to actors and threads, in its own runtime:
//
//     auto o = smarm::start_server<smarm::observer>().value();
//     smarm::runtime_snapshot all = o.call(smarm::observer::snapshot{}, 1s).value();
//
// It keeps nothing: each answer is made when it is asked for, and it is in its own snapshots, running.
// It only reads. A program that starts none pays for none.

#ifndef SMARM_OBSERVER_HPP
#define SMARM_OBSERVER_HPP

#include <smarm/actor_info.hpp>
#include <smarm/actor_tree.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/pid.hpp>
#include <smarm/runtime_snapshot.hpp>
#include <smarm/runtime_stats.hpp>

#include <iosfwd>
#include <optional>
#include <vector>

namespace smarm {

class observer : public gen_server<observer> {
public:
  struct snapshot {};
  struct tree {};
  struct actor_info {
    pid actor;
  };
  struct schedulers {};
  struct statistics {};

  // As the functions of these names in smarm::introspect.
  [[nodiscard]] runtime_snapshot handle_call(snapshot) const;
  [[nodiscard]] actor_tree handle_call(tree) const;
  [[nodiscard]] std::optional<smarm::actor_info> handle_call(actor_info request) const;
  [[nodiscard]] std::vector<scheduler_info> handle_call(schedulers) const;
  [[nodiscard]] runtime_stats handle_call(statistics) const;

  void describe(std::ostream& out) const; // for sys::state
};

} // namespace smarm

#endif
