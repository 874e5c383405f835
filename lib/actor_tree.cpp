// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/introspect.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace smarm::introspect {
namespace {

using node = actor_tree_node;

// Marks what can be reached from there.
void reach(const actor_tree& t, std::size_t from, std::vector<bool>& reached,
           std::vector<std::size_t>& to_do) {
  to_do.push_back(from);
  while (!to_do.empty()) {
    const std::size_t at = to_do.back();
    to_do.pop_back();
    reached[at] = true;
    to_do.insert(to_do.end(), t.nodes[at].children.begin(), t.nodes[at].children.end());
  }
}

} // namespace

actor_tree tree_of(runtime_snapshot from) {
  actor_tree t;
  t.format_version = from.format_version;
  t.taken_at = from.taken_at;
  t.nodes.reserve(from.actors.size());
  boost::unordered_flat_map<pid, std::size_t> places;
  places.reserve(from.actors.size());
  for (smarm::actor_info& a : from.actors) {
    places.emplace(a.actor, t.nodes.size());
    t.nodes.emplace_back().info = std::move(a);
  }
  for (std::size_t i = 0; i < t.nodes.size(); ++i) {
    node& n = t.nodes[i];
    const pid parent = n.info.parent;
    const auto found = places.find(parent);
    if (parent.is_valid() && found != places.end() && found->second != i) {
      n.parent = found->second;
      t.nodes[found->second].children.push_back(i);
    } else {
      n.orphaned = parent.is_valid();
      t.roots.push_back(i);
    }
  }
  std::vector<bool> reached(t.nodes.size());
  std::vector<std::size_t> to_do;
  for (const std::size_t root : t.roots) {
    reach(t, root, reached, to_do);
  }
  for (std::size_t i = 0; i < t.nodes.size(); ++i) {
    if (!reached[i]) { // one of a ring, or below one: no runtime makes such, but a list may say so
      node& n = t.nodes[i];
      std::erase(t.nodes[std::exchange(n.parent, node::none)].children, i);
      n.orphaned = true;
      t.roots.push_back(i);
      reach(t, i, reached, to_do);
    }
  }
  return t;
}

} // namespace smarm::introspect
