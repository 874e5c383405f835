// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Reading what was recorded.

#include <smarm/trace.hpp>

#include "trace_recording.hpp"

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/quiet_allocation.hpp>
#include <smarm/detail/survey.hpp>

#include <boost/core/demangle.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace smarm::detail {
namespace {

std::string readable(const trace_record& r, std::map<const char*, std::string>& types) {
  switch (r.what) {
  case event_kind::park: return to_string(static_cast<wait_kind>(r.detail));
  case event_kind::restart: return r.text != nullptr ? r.text : "";
  default: break;
  }
  if (r.text == nullptr) {
    return {};
  }
  const auto [known, fresh] = types.try_emplace(r.text);
  if (fresh) {
    known->second = boost::core::demangle(r.text);
  }
  return known->second;
}

// Of those who are still alive and had their label before the recording began.
void look_up_labels(traced& all) {
  std::set<traced_actor> asked;
  for (const auto& e : all.entries) {
    const traced_actor who = e.record.actor;
    if (!who.any() || all.labels.contains(who) || !asked.insert(who).second) {
      continue;
    }
    // A slot is looked at by anybody at any time.
    auto& where = const_cast<slot&>(*who.where);
    std::string label = label_of(where);
    if (!label.empty() && where.word.status(who.generation) == slot_status::live) {
      all.labels.emplace(who, std::move(label));
    }
  }
}

} // namespace

traced read_recording() {
  const quiet_allocation quiet; // under a lock
  traced out;
  {
    trace_recording& all = the_recording();
    const std::lock_guard guard(all.lock);
    std::map<const char*, std::string> types;
    std::vector<trace_ring::record> words;
    for (const trace_source& source : all.sources) {
      words.clear();
      const auto number = static_cast<unsigned>(out.sources.size());
      out.lost.push_back(source.ring->read(words));
      out.sources.push_back({nullptr, source.runtime, source.scheduler});
      for (const auto& w : words) {
        const trace_record r = trace_record::from(w);
        out.entries.push_back({r, number, out.entries.size(), readable(r, types)});
      }
    }
    out.labels = all.labels;
  }
  // Not by std::stable_sort, which clang finds to use what is deprecated.
  std::sort(out.entries.begin(), out.entries.end(), [](const auto& a, const auto& b) {
    return std::pair(a.record.at, a.order) < std::pair(b.record.at, b.order);
  });
  look_up_labels(out);
  return out;
}

} // namespace smarm::detail

namespace smarm::trace {
namespace {

std::chrono::steady_clock::time_point time_of(const detail::trace_record& r) {
  return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(r.at));
}

} // namespace

const char* to_string(event_kind what) noexcept {
  switch (what) {
  case event_kind::spawn: return "spawn";
  case event_kind::wake: return "wake";
  case event_kind::timer: return "timer";
  case event_kind::resume: return "resume";
  case event_kind::yield: return "yield";
  case event_kind::park: return "park";
  case event_kind::end: return "end";
  case event_kind::steal: return "steal";
  case event_kind::send: return "send";
  case event_kind::cast: return "cast";
  case event_kind::call: return "call";
  case event_kind::receive: return "receive";
  case event_kind::pass_over: return "pass over";
  case event_kind::io: return "io";
  case event_kind::restart: return "restart";
  }
  return "unknown";
}

std::uint64_t lost() {
  std::uint64_t sum = 0;
  for (const std::uint64_t of_one : detail::read_recording().lost) {
    sum += of_one;
  }
  return sum;
}

std::vector<event> events() {
  const detail::traced all = detail::read_recording();
  std::vector<event> out;
  out.reserve(all.entries.size());
  for (const auto& [r, source, order, text] : all.entries) {
    event e;
    e.at = time_of(r);
    e.what = r.what;
    e.actor = r.actor.id();
    e.other = r.other.id();
    e.scheduler = all.sources[source].scheduler;
    e.thread = r.thread;
    (r.what == event_kind::io ? e.count : e.message) = r.message;
    e.renamed = r.renamed;
    if (r.what == event_kind::end) {
      e.ending = static_cast<exit_kind>(r.detail);
    }
    e.text = text;
    out.push_back(std::move(e));
  }
  return out;
}

std::vector<message> messages_of(pid actor) {
  std::vector<message> out;
  // By what names a message while it is under way: what is known of its sending, and where it is in `out`
  // if it was sent to the actor.
  struct under_way {
    message sent;
    std::optional<std::size_t> place = {};
  };
  std::map<std::uint64_t, under_way> all_under_way;
  for (const event& e : events()) {
    switch (e.what) {
    case event_kind::send:
    case event_kind::cast:
    case event_kind::call: {
      under_way now{{e.what, e.actor, e.other, e.text, e.at, {}}};
      if (e.other.is_valid() && e.other == actor) {
        now.place = out.size();
        out.push_back(now.sent);
      }
      all_under_way.insert_or_assign(e.message, std::move(now));
      break;
    }
    case event_kind::receive: {
      const auto found = all_under_way.find(e.message);
      if (e.actor == actor) {
        if (found == all_under_way.end()) {
          out.push_back({event_kind::send, {}, actor, e.text, {}, e.at});
        } else if (found->second.place) {
          out[*found->second.place].received = e.at;
        } else {
          message m = std::move(found->second.sent);
          m.to = actor;
          m.received = e.at;
          out.push_back(std::move(m));
        }
      }
      if (found != all_under_way.end()) {
        all_under_way.erase(found);
      }
      break;
    }
    case event_kind::pass_over:
      if (auto found = all_under_way.extract(e.message); !found.empty()) {
        all_under_way.insert_or_assign(e.renamed, std::move(found.mapped()));
      }
      break;
    default: break;
    }
  }
  const auto when = [](const message& m) {
    return std::pair(m.sent != std::chrono::steady_clock::time_point() ? m.sent : m.received,
                     m.received);
  };
  std::sort(out.begin(), out.end(),
            [&](const message& a, const message& b) { return when(a) < when(b); });
  return out;
}

} // namespace smarm::trace
