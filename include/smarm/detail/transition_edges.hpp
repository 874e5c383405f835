// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The arrows of a transition graph, as they are found.

#ifndef SMARM_DETAIL_TRANSITION_EDGES_HPP
#define SMARM_DETAIL_TRANSITION_EDGES_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smarm::detail {

enum class edge_kind : std::uint8_t { goes, stays, postpones, ends };

class transition_edges {
public:
  void begin_in(std::string_view state) { begin_ = state; }
  void add_state(std::string_view name) { states_.push_back(name); }
  // An arrow of that kind that is there already bears that event, too.
  void add(std::string_view from, std::string_view to, std::string_view event, edge_kind kind);
  [[nodiscard]] std::string text(std::string_view machine) const;

private:
  struct edge {
    std::string_view from;
    std::string_view to;
    edge_kind kind;
    std::vector<std::string_view> events;
  };
  std::string_view begin_;
  std::vector<std::string_view> states_;
  std::vector<edge> edges_;
};

} // namespace smarm::detail

#endif
