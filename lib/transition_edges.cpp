// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/detail/transition_edges.hpp>

#include <algorithm>
#include <string>

namespace smarm::detail {

void transition_edges::add(std::string_view from, std::string_view to, std::string_view event,
                           edge_kind kind) {
  const auto at = std::find_if(edges_.begin(), edges_.end(), [&](const edge& e) {
    return e.from == from && e.to == to && e.kind == kind;
  });
  edge& one = at != edges_.end() ? *at : edges_.emplace_back(edge{from, to, kind, {}});
  if (std::find(one.events.begin(), one.events.end(), event) == one.events.end()) {
    one.events.push_back(event);
  }
}

std::string transition_edges::text(std::string_view machine) const {
  // Graphviz has words of its own, such as node, and a name that belongs to a template has brackets.
  // The two that are no states have names that no state can have.
  const auto quoted = [](std::string_view name) { return '"' + std::string(name) + '"'; };
  std::string out = "digraph " + quoted(machine) + " {\n  \"(start)\" [shape=point];\n";
  for (const std::string_view state : states_) {
    out += "  " + quoted(state) + ";\n";
  }
  if (std::any_of(edges_.begin(), edges_.end(),
                  [](const edge& e) { return e.kind == edge_kind::ends; })) {
    out += "  \"(ended)\" [label=\"ended\", shape=doublecircle];\n";
  }
  out += "  \"(start)\" -> " + quoted(begin_) + ";\n";
  for (const edge& e : edges_) {
    std::string label;
    for (const std::string_view event : e.events) {
      label += label.empty() ? "" : "\\n";
      label += event;
      label += e.kind == edge_kind::postpones ? " (postponed)" : "";
    }
    out += "  " + quoted(e.from) + " -> " + (e.kind == edge_kind::ends ? "\"(ended)\"" : quoted(e.to)) +
           " [label=\"" + label + '"' +
           (e.kind == edge_kind::stays       ? ", style=dashed"
            : e.kind == edge_kind::postpones ? ", style=dotted"
                                             : "") +
           "];\n";
  }
  return out + "}\n";
}

} // namespace smarm::detail
