// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "parts.hpp"

#include <smarm/detail/utf8_text.hpp>

#include <boost/json.hpp>

#include <algorithm>
#include <chrono>

namespace smarm::observer_http_detail {
namespace {

namespace json = boost::json;

double seconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

} // namespace

std::string text_of(pid p) {
  return p.is_valid() ? std::to_string(p.index()) + '.' + std::to_string(p.generation())
                      : std::string();
}

double waited(const runtime_view& view, const actor_info& a) {
  return a.since == std::chrono::steady_clock::time_point()
             ? 0.0
             : std::max(0.0, seconds(view.head().taken_at_steady - a.since));
}

std::int64_t milliseconds_of(std::chrono::system_clock::time_point at) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch()).count();
}

json::object json_of(runtime_view& view, std::size_t place) {
  const actor_tree_node& n = view.tree().nodes[place];
  const actor_info& a = n.info;
  json::array names;
  for (const std::string& name : a.names) {
    names.emplace_back(detail::utf8_text(name));
  }
  json::object o;
  o["pid"] = text_of(a.actor);
  o["parent"] = text_of(a.parent);
  o["label"] = detail::utf8_text(a.label);
  o["names"] = std::move(names);
  o["state"] = to_string(a.state);
  o["scheduler"] = a.scheduler ? json::value(*a.scheduler) : json::value();
  o["waits_for"] = a.waits_for == wait_kind::nothing ? "" : to_string(a.waits_for);
  o["waits_on"] = text_of(a.waits_on);
  o["seconds"] = waited(view, a);
  o["stoppable"] = a.stoppable;
  o["asked_to_end"] = a.asked_to_end;
  o["abandoned"] = a.abandoned;
  o["trap_exit"] = a.trap_exit;
  o["monitors"] = a.monitors;
  o["links"] = a.links;
  o["joiners"] = a.joiners;
  o["inbox"] = a.inbox_depth;
  o["messages"] = a.messages_received;
  o["overruns"] = a.overruns;
  o["budget_cycles"] = a.budget_cycles;
  o["stack_size"] = a.stack_size;
  o["stack_used"] = a.stack_used;
  o["stack_high_water"] = a.stack_high_water;
  o["stack_shrinks"] = a.stack_shrinks;
  o["supervised"] = a.supervised;
  o["restarts"] = a.restarts;
  o["behaviour"] = to_string(a.behaviour);
  o["class"] = a.type != nullptr ? detail::utf8_text(view.class_name(*a.type)) : std::string();
  o["orphaned"] = n.orphaned;
  o["children"] = n.children.size();
  o["below"] = view.below(place) - 1;
  o["restarts_below"] = view.restarts_below(place);
  return o;
}

answer of_json(const json::object& o) {
  return {200, "application/json", json::serialize(o)};
}

json::object heading(const runtime_view& view) {
  json::object o;
  o["format_version"] = view.head().format_version;
  o["taken_at_ms"] = milliseconds_of(view.head().taken_at);
  o["took_us"] = std::chrono::duration_cast<std::chrono::microseconds>(view.head().took).count();
  o["actors"] = view.tree().nodes.size();
  o["budget_accounting"] = view.head().budget_accounting;
  return o;
}

} // namespace smarm::observer_http_detail
