// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Who spawned whom. The nodes are in one list and refer to each other by their places in it, so that no
// depth of spawning asks for recursion.

#ifndef SMARM_ACTOR_TREE_HPP
#define SMARM_ACTOR_TREE_HPP

#include <smarm/actor_info.hpp>
#include <smarm/runtime_snapshot.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace smarm {

//[actor_tree_outline
struct actor_tree_node {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  actor_info info;
  bool orphaned = false;     // a root only since its parent is not there any more
  std::size_t parent = none; // of a root
  std::vector<std::size_t> children; // in the order of the snapshot
};

struct actor_tree {
  std::uint16_t format_version = snapshot_format_version;
  std::chrono::system_clock::time_point taken_at{};
  std::vector<actor_tree_node> nodes; // each actor of the snapshot once, in its order
  std::vector<std::size_t> roots;

  // Calls visit(node, depth) for each node, parents first; roots are of depth 0.
  template <class Visit>
  void walk(Visit visit) const {
    std::vector<std::pair<std::size_t, std::size_t>> to_do; // place, depth; the next one last
    const auto add = [&](const std::vector<std::size_t>& places, std::size_t depth) {
      for (auto at = places.rbegin(); at != places.rend(); ++at) {
        to_do.emplace_back(*at, depth);
      }
    };
    add(roots, 0);
    while (!to_do.empty()) {
      const auto [place, depth] = to_do.back();
      to_do.pop_back();
      visit(nodes[place], depth);
      add(nodes[place].children, depth + 1);
    }
  }
};
//]

} // namespace smarm

#endif
