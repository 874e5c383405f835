// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "answers.hpp"

#include "query.hpp"

#include <smarm/detail/utf8_text.hpp>
#include <smarm/prometheus.hpp>

#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace smarm::observer_http_detail {
namespace {

namespace json = boost::json;

constexpr std::size_t usual_rows = 100;
constexpr std::size_t most_rows = 1000;

std::string text_of(pid p) {
  return p.is_valid() ? std::to_string(p.index()) + '.' + std::to_string(p.generation())
                      : std::string();
}

double seconds(std::chrono::steady_clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

double waited(const runtime_view& view, const actor_info& a) {
  return a.since == std::chrono::steady_clock::time_point()
             ? 0.0
             : std::max(0.0, seconds(view.head().taken_at_steady - a.since));
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

answer of_json(json::object o) {
  return {200, "application/json", json::serialize(o)};
}

json::object heading(const runtime_view& view) {
  json::object o;
  o["format_version"] = view.head().format_version;
  o["taken_at_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(
                         view.head().taken_at.time_since_epoch())
                         .count();
  o["took_us"] = std::chrono::duration_cast<std::chrono::microseconds>(view.head().took).count();
  o["actors"] = view.tree().nodes.size();
  return o;
}

// ---- /api/overview

answer overview(runtime_view& view) {
  json::object o = heading(view);
  json::object states;
  for (const actor_state s : {actor_state::queued, actor_state::running, actor_state::notified,
                              actor_state::parked, actor_state::idle, actor_state::ended}) {
    states[to_string(s)] = std::count_if(view.tree().nodes.begin(), view.tree().nodes.end(),
                                         [&](const actor_tree_node& n) { return n.info.state == s; });
  }
  o["states"] = std::move(states);
  if (const auto s = view.stats()) {
    o["statistics"] = {{"schedulers", s->schedulers},
                       {"spawned", s->spawned},
                       {"ended", s->ended},
                       {"switches", s->switches},
                       {"overruns", s->overruns},
                       {"sleeps", s->sleeps},
                       {"wakes", s->wakes},
                       {"ready", s->ready},
                       {"armed_timers", s->armed_timers},
                       {"stacks_in_use", s->stacks_in_use},
                       {"stacks_kept", s->stacks_kept},
                       {"stacks_spare", s->stacks_spare},
                       {"sink_failures", s->sink_failures},
                       {"io_polls", s->io.polls},
                       {"io_sleeps", s->io.sleeps},
                       {"io_handlers", s->io.handlers},
                       {"io_interrupts", s->io.interrupts},
                       {"io_descriptors", s->io.descriptors_waited_for},
                       {"blocking_threads", s->blocking.threads},
                       {"blocking_idle", s->blocking.idle},
                       {"blocking_queued", s->blocking.queued},
                       {"blocking_running", s->blocking.running},
                       {"blocking_completed", s->blocking.completed},
                       {"blocking_withdrawn", s->blocking.withdrawn},
                       {"blocking_rejected", s->blocking.rejected}};
  }
  json::array schedulers;
  for (const scheduler_info& s : view.schedulers()) {
    schedulers.push_back({{"id", s.id},
                          {"online", s.online},
                          {"running", text_of(s.running)},
                          {"ready", s.ready},
                          {"armed_timers", s.armed_timers},
                          {"switches", s.switches},
                          {"overruns", s.overruns},
                          {"sleeps", s.sleeps},
                          {"spurious", s.spurious},
                          {"wakes", s.wakes}});
  }
  o["schedulers"] = std::move(schedulers);
  json::array samples;
  for (const load_sample& s : view.samples()) {
    samples.push_back({{"at_ms", s.at_ms},
                       {"load", json::value_from(s.load)},
                       {"ready", s.ready},
                       {"switches_per_second", s.switches_per_second}});
  }
  o["samples"] = std::move(samples);
  return of_json(std::move(o));
}

// ---- /api/actors

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
  return of_json(std::move(o));
}

// ---- /api/tree, /api/actor

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
  return of_json(std::move(o));
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

answer metrics(runtime_view& view) {
  const auto stats = view.stats();
  return stats ? answer{200, prometheus_content_type,
                        prometheus_text(*stats, view.schedulers(), view.snapshot())}
               : refusal(503, "the runtime is gone");
}

} // namespace

answer refusal(unsigned status, std::string_view why) {
  json::object o;
  o["error"] = detail::utf8_text(why); // which may quote a request
  return {status, "application/json", json::serialize(o)};
}

answer answer_to(runtime_view& view, std::string_view target) {
  try {
    query q(target);
    if (q.path() == "/") {
      return {200, "text/html; charset=utf-8", page()};
    }
    if (q.path() != "/metrics" && !q.path().starts_with("/api/")) {
      return refusal(404, "nothing there");
    }
    if (!view.refresh()) {
      return refusal(503, "the runtime is gone");
    }
    if (q.path() == "/api/actors") {
      return actors(view, q);
    }
    if (q.path() == "/api/tree") {
      return level(view, q);
    }
    if (q.path() == "/api/actor") {
      return single(view, q);
    }
    if (q.path() == "/api/overview") {
      q.done();
      return overview(view);
    }
    if (q.path() == "/metrics") {
      return metrics(view); // which may be asked with fields that some agents add
    }
    return refusal(404, "nothing there");
  } catch (const bad_request& e) {
    return refusal(400, e.what());
  }
}

} // namespace smarm::observer_http_detail
