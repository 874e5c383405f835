// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "parts.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <utility>

namespace smarm::observer_http_detail {

namespace json = boost::json;

answer overview(runtime_view& view, query& q) {
  q.done();
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
                          {"wakes", s.wakes},
                          {"spawned", s.spawned},
                          {"ended", s.ended}});
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
  return of_json(o);
}

} // namespace smarm::observer_http_detail
