// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// All actors in an order, and level by level.

#include "parts.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace smarm::observer_http_detail {

namespace json = boost::json;

namespace {

using key_of_actor = double (*)(const runtime_view& view, const actor_info& a);
struct order {
  std::string_view name;
  key_of_actor key;
};
constexpr std::array orders{
    order{"inbox", [](const runtime_view&, const actor_info& a) {
            return static_cast<double>(a.inbox_depth);
          }},
    order{"messages", [](const runtime_view&, const actor_info& a) {
            return static_cast<double>(a.messages_received);
          }},
    order{"time", [](const runtime_view& view, const actor_info& a) { return waited(view, a); }},
    order{"stack", [](const runtime_view&, const actor_info& a) {
            return static_cast<double>(a.stack_high_water);
          }},
    order{"restarts", [](const runtime_view&, const actor_info& a) {
            return static_cast<double>(a.restarts);
          }},
    order{"overruns", [](const runtime_view&, const actor_info& a) {
            return static_cast<double>(a.overruns);
          }},
    order{"cycles", [](const runtime_view&, const actor_info& a) {
            return static_cast<double>(a.budget_cycles);
          }},
    order{"pid", [](const runtime_view&, const actor_info& a) {
            return static_cast<double>(a.actor.index());
          }}};

bool mentions(runtime_view& view, const actor_info& a, const std::string& what) {
  const auto in = [&](const std::string& text) { return text.find(what) != std::string::npos; };
  return in(a.label) || text_of(a.actor) == what ||
         std::any_of(a.names.begin(), a.names.end(), in) ||
         (a.type != nullptr && in(view.class_name(*a.type)));
}

} // namespace

answer actors(runtime_view& view, query& q) {
  std::string sort = q.text("sort");
  const std::string state = q.text("state");
  const std::string mentioned = q.text("q");
  const bool ascending = q.flag("ascending");
  const bool supervised = q.flag("supervised");
  const std::size_t limit = q.number("limit", usual_rows, most_rows);
  const std::size_t offset = q.number("offset", 0, SIZE_MAX / 2);
  q.done();
  if (sort.empty()) {
    sort = "inbox";
  }
  const auto by = std::find_if(orders.begin(), orders.end(),
                               [&](const order& o) { return o.name == sort; });
  if (by == orders.end()) {
    throw bad_request("sort is one of inbox, messages, time, stack, restarts, overruns, cycles, pid");
  }
  std::vector<std::pair<double, std::size_t>> found;
  const auto& nodes = view.tree().nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const actor_info& a = nodes[i].info;
    if ((state.empty() || state == to_string(a.state)) && (!supervised || a.supervised) &&
        (mentioned.empty() || mentions(view, a, mentioned))) {
      const double key = by->key(view, a);
      found.emplace_back(ascending ? key : -key, i);
    }
  }
  const std::size_t first = std::min(offset, found.size());
  const std::size_t last = std::min(found.size(), first + limit);
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(last), found.end());
  json::array rows;
  for (std::size_t i = first; i < last; ++i) {
    rows.push_back(json_of(view, found[i].second));
  }
  json::object o = heading(view);
  o["matching"] = found.size();
  o["offset"] = first;
  o["rows"] = std::move(rows);
  return of_json(o);
}

answer level(runtime_view& view, query& q) {
  const std::optional<pid> parent = q.actor("parent");
  const std::size_t limit = q.number("limit", usual_rows, most_rows);
  const std::size_t offset = q.number("offset", 0, SIZE_MAX / 2);
  q.done();
  const std::vector<std::size_t>* places = &view.tree().roots;
  if (parent) {
    const auto found = view.find(*parent);
    if (!found) {
      return refusal(404, "no such actor");
    }
    places = &view.tree().nodes[*found].children;
  }
  const std::size_t first = std::min(offset, places->size());
  const std::size_t last = std::min(places->size(), first + limit);
  json::array rows;
  for (std::size_t i = first; i < last; ++i) {
    rows.push_back(json_of(view, (*places)[i]));
  }
  json::object o = heading(view);
  o["parent"] = parent ? text_of(*parent) : std::string();
  o["matching"] = places->size();
  o["offset"] = first;
  o["rows"] = std::move(rows);
  return of_json(o);
}

answer single(runtime_view& view, query& q) {
  const std::optional<pid> actor = q.actor("pid");
  q.done();
  if (!actor) {
    throw bad_request("pid is missing");
  }
  const auto found = view.find(*actor);
  return found ? of_json(json_of(view, *found)) : refusal(404, "no such actor");
}

} // namespace smarm::observer_http_detail
