// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/introspect.hpp>

#include <smarm/detail/cycles.hpp>
#include <smarm/detail/published.hpp>
#include <smarm/detail/read_actor.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/this_actor.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <ostream>

namespace smarm {
namespace introspect {
namespace {

using boost::system::result;
using detail::runtime_state;

// So many slots are read between two looks whether the caller's slice is used up.
constexpr std::uint32_t slots_per_look = 64;

void give_way() {
  detail::scheduler* const here = detail::current_scheduler();
  if (here != nullptr && here->is_actor(here->current)) {
    this_actor::impl::slice_check(*here, *here->current);
  }
}

runtime_snapshot snapshot_in(runtime_state& in) {
  runtime_snapshot out;
  out.budget_accounting = detail::budgeting;
  out.taken_at = std::chrono::system_clock::now();
  out.taken_at_steady = std::chrono::steady_clock::now();
  const std::int64_t began = out.taken_at_steady.time_since_epoch().count();
  const std::size_t used = in.slots.used();
  std::int64_t now = began;
  for (std::uint32_t i = 0; i < used; ++i) {
    if (i % slots_per_look == 0) {
      give_way();
      now = detail::monotonic_now();
    }
    detail::slot* const s = in.slots.find(i);
    if (s == nullptr || s->word.snapshot().state == detail::slot_state::vacant) {
      continue;
    }
    smarm::actor_info& one = out.actors.emplace_back();
    if (!detail::read_actor(in, *s, now, one)) {
      out.actors.pop_back();
    }
  }
  out.took = std::chrono::steady_clock::now() - out.taken_at_steady;
  return out;
}

std::optional<smarm::actor_info> info_in(runtime_state& in, pid actor) {
  detail::slot* const s = in.slots.find(actor.index());
  smarm::actor_info out;
  // The slot may have changed hands while it was read; that it is not this one's is certain then.
  if (s == nullptr || !detail::read_actor(in, *s, detail::monotonic_now(), out) ||
      out.actor != actor) {
    return std::nullopt;
  }
  return out;
}

std::vector<scheduler_info> schedulers_in(const runtime_state& in) {
  std::vector<scheduler_info> out;
  for (const auto& s : in.schedulers) {
    const detail::idle_counters& idle = in.coordination.counters(s->id);
    const detail::slot* const current = s->current;
    scheduler_info one;
    one.id = s->id;
    one.online = s->online.load(std::memory_order_acquire);
    if (one.online && current != nullptr && s->is_actor(current)) {
      // It may be a slot that was never used before: what it holds is there for whoever finds its word in use.
      const detail::slot_snapshot word = current->word.snapshot();
      if (word.state != detail::slot_state::vacant) {
        one.running = pid(current->index, word.generation);
      }
    }
    one.ready = s->queue.size();
    one.armed_timers = s->timers.size();
    one.switches = s->switches.value();
    one.spawned = s->spawned.value();
    one.ended = s->ended.value();
    one.overruns = s->overruns.value();
    one.sleeps = idle.parks.count();
    one.spurious = idle.spurious.count();
    one.wakes = idle.wakes.count();
    one.searches = idle.searches.count();
    one.search_hits = idle.search_hits.count();
    // It may begin or end to be idle between the two: then what is missing comes with the next reading.
    const std::uint64_t since = s->idle_since;
    one.idle_cycles = s->idle_cycles.value();
    one.read_at = detail::cycles_now();
    if (since != 0 && one.read_at > since) {
      one.idle_cycles += one.read_at - since;
    }
    out.push_back(one);
  }
  return out;
}

runtime_state& here(const char* call) { return detail::runtime_of_caller(call); }

template <class Read>
auto through(const runtime_handle& in, Read read)
    -> result<decltype(read(std::declval<runtime_state&>()))> {
  const std::shared_ptr<runtime_state> state = detail::runtime_access::state(in).lock();
  if (state == nullptr) {
    return make_error_code(errc::runtime_down);
  }
  return read(*state);
}

} // namespace

runtime_snapshot snapshot() { return snapshot_in(here("smarm::introspect::snapshot")); }
runtime_snapshot snapshot(const runtime& in) { return snapshot(in.handle()).value(); }
result<runtime_snapshot> snapshot(const runtime_handle& in) { return through(in, &snapshot_in); }

std::optional<smarm::actor_info> actor_info(pid actor) {
  return info_in(here("smarm::introspect::actor_info"), actor);
}
std::optional<smarm::actor_info> actor_info(const runtime& in, pid actor) {
  return actor_info(in.handle(), actor);
}
std::optional<smarm::actor_info> actor_info(const runtime_handle& in, pid actor) {
  const std::shared_ptr<runtime_state> state = detail::runtime_access::state(in).lock();
  return state != nullptr ? info_in(*state, actor) : std::nullopt;
}

actor_tree tree() { return tree_of(snapshot_in(here("smarm::introspect::tree"))); }
actor_tree tree(const runtime& in) { return tree(in.handle()).value(); }
result<actor_tree> tree(const runtime_handle& in) {
  return through(in, [](runtime_state& state) { return tree_of(snapshot_in(state)); });
}

std::vector<scheduler_info> schedulers() {
  return schedulers_in(here("smarm::introspect::schedulers"));
}
std::vector<scheduler_info> schedulers(const runtime& in) {
  return schedulers(in.handle()).value();
}
result<std::vector<scheduler_info>> schedulers(const runtime_handle& in) {
  return through(in, [](runtime_state& state) { return schedulers_in(state); });
}

std::vector<past_report> recent_reports() {
  return here("smarm::introspect::recent_reports").reports_told().read();
}
std::vector<past_report> recent_reports(const runtime& in) {
  return recent_reports(in.handle()).value();
}
result<std::vector<past_report>> recent_reports(const runtime_handle& in) {
  return through(in, [](runtime_state& state) { return state.reports_told().read(); });
}

runtime_stats statistics() { return here("smarm::introspect::statistics").stats(); }
result<runtime_stats> statistics(const runtime_handle& in) {
  return through(in, [](runtime_state& state) { return state.stats(); });
}

} // namespace introspect

const char* to_string(actor_state state) noexcept {
  switch (state) {
  case actor_state::queued: return "queued";
  case actor_state::running: return "running";
  case actor_state::notified: return "notified";
  case actor_state::parked: return "parked";
  case actor_state::idle: return "idle";
  case actor_state::ended: return "ended";
  }
  return "unknown";
}

std::ostream& operator<<(std::ostream& out, actor_state state) { return out << to_string(state); }

double load_between(const scheduler_info& earlier, const scheduler_info& later) noexcept {
  if (later.read_at <= earlier.read_at || later.idle_cycles < earlier.idle_cycles) {
    return 0;
  }
  const auto all = static_cast<double>(later.read_at - earlier.read_at);
  const auto idle = static_cast<double>(later.idle_cycles - earlier.idle_cycles);
  return std::clamp(1 - idle / all, 0.0, 1.0);
}

} // namespace smarm
