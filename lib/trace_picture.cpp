// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include "trace_picture.hpp"

#include <smarm/detail/utf8_text.hpp>

#include <algorithm>
#include <sstream>
#include <utility>

namespace smarm::detail {
namespace {

constexpr std::size_t most_actor_tracks = 1024;

std::string text_of(pid who) {
  std::ostringstream text;
  text << who;
  return std::move(text).str();
}

} // namespace

trace_picture::trace_picture(const traced& from) : from_(from) {
  choose_actor_tracks();
  for (const auto& e : from_.entries) {
    draw(e);
  }
  close_all();
}

track trace_picture::track_of(const entry& e) const {
  const trace_source& s = from_.sources[e.source];
  return s.scheduler == trace_source::outside
             ? track{other_threads, e.record.thread}
             : track{schedulers, std::int64_t{s.runtime} * 64 + s.scheduler + 1};
}

std::string trace_picture::title(const traced_actor& who) const {
  if (!who.any()) {
    return "no actor";
  }
  const auto label = from_.labels.find(who);
  return label != from_.labels.end() ? utf8_text(label->second) + ' ' + text_of(who.id())
                                     : "actor " + text_of(who.id());
}

void trace_picture::choose_actor_tracks() {
  std::map<traced_actor, std::size_t> events;
  for (const auto& e : from_.entries) {
    if (e.record.actor.any()) {
      ++events[e.record.actor];
    }
  }
  std::vector<std::pair<traced_actor, std::size_t>> order(events.begin(), events.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::pair(b.second, a.first) < std::pair(a.second, b.first);
  });
  without_track_ = order.size() > most_actor_tracks ? order.size() - most_actor_tracks : 0;
  order.resize(order.size() - without_track_);
  for (const auto& [who, count] : order) {
    numbers_.emplace(who, static_cast<std::int64_t>(numbers_.size() + 1));
  }
}

std::size_t trace_picture::add(std::int64_t at, char phase, track on, std::string name,
                               std::uint64_t flow) {
  seen_[on];
  lines_.push_back({at, phase, on, flow, std::move(name), {}});
  return lines_.size() - 1;
}

void trace_picture::open(std::int64_t at, track on, const std::string& name) {
  close(at, on);
  add(at, 'B', on, name);
  seen_[on] = true;
}

void trace_picture::close(std::int64_t at, track on) {
  if (seen_[on]) {
    add(at, 'E', on);
    seen_[on] = false;
  }
}

void trace_picture::actor_does(std::int64_t at, const traced_actor& who, const std::string& what) {
  if (const auto mine = numbers_.find(who); mine != numbers_.end()) {
    open(at, {actors, mine->second}, what);
  }
}

void trace_picture::actor_ends(std::int64_t at, const traced_actor& who) {
  if (const auto mine = numbers_.find(who); mine != numbers_.end()) {
    close(at, {actors, mine->second});
  }
}

// An arrow may begin here; it is drawn if its end is found. Arrows begin in slices, so where there is
// none a short one is made.
template <class Key>
void trace_picture::begin_arrow(std::map<Key, arrow>& of, const Key& key, const entry& e,
                                const std::string& name) {
  const track on = track_of(e);
  const bool in_slice = seen_[on];
  if (!in_slice) {
    open(e.record.at, on, name);
  }
  of.insert_or_assign(key, add(e.record.at, 's', on, name));
  if (!in_slice) {
    close(e.record.at, on);
  }
}

template <class Key>
void trace_picture::end_arrow(std::map<Key, arrow>& of, const Key& key, const entry& e) {
  if (const auto begun = of.find(key); begun != of.end()) {
    lines_[begun->second].flow = ++last_flow_;
    add(e.record.at, 'f', track_of(e), lines_[begun->second].name, last_flow_);
    of.erase(begun);
  }
}

std::size_t trace_picture::instant(const entry& e, std::string name) {
  return add(e.record.at, 'i', track_of(e), std::move(name));
}

void trace_picture::detail_of(std::size_t at, const char* key, std::string value) {
  lines_[at].details.emplace_back(key, std::move(value));
}

void trace_picture::close_all() {
  const std::int64_t last = from_.entries.empty() ? 0 : from_.entries.back().record.at;
  for (auto& [on, is_open] : seen_) {
    if (is_open) {
      lines_.push_back({last, 'E', on, 0, {}, {}});
      is_open = false;
    }
  }
}

void trace_picture::draw(const entry& e) {
  const trace_record& r = e.record;
  const traced_actor timer = std::exchange(timer_for_[e.source], {});
  switch (r.what) {
  case event_kind::timer: timer_for_[e.source] = r.actor; break;
  case event_kind::spawn:
  case event_kind::wake: {
    const bool by_timer = r.what == event_kind::wake && timer == r.actor && timer.any();
    begin_arrow(wakes_, r.actor, e, by_timer ? "timer" : trace::to_string(r.what));
    actor_does(r.at, r.actor, "ready");
    break;
  }
  case event_kind::steal: break;
  case event_kind::resume:
    open(r.at, track_of(e), title(r.actor));
    end_arrow(wakes_, r.actor, e);
    actor_does(r.at, r.actor, "runs");
    break;
  case event_kind::yield:
    close(r.at, track_of(e));
    actor_does(r.at, r.actor, "ready");
    break;
  case event_kind::park:
    close(r.at, track_of(e));
    actor_does(r.at, r.actor, "waits for " + e.text);
    break;
  case event_kind::end: {
    close(r.at, track_of(e));
    actor_ends(r.at, r.actor);
    const std::size_t at = instant(e, "end of " + title(r.actor));
    detail_of(at, "reason", to_string(static_cast<exit_kind>(r.detail)));
    break;
  }
  case event_kind::send:
  case event_kind::cast:
  case event_kind::call: {
    begin_arrow(messages_, r.message, e, trace::to_string(r.what));
    const std::size_t at = instant(e, std::string(trace::to_string(r.what)) + ' ' + e.text);
    if (r.other.any()) {
      detail_of(at, "to", title(r.other));
    }
    break;
  }
  case event_kind::receive:
    end_arrow(messages_, r.message, e);
    instant(e, "receive " + e.text);
    break;
  case event_kind::pass_over:
    if (auto found = messages_.extract(r.message); !found.empty()) {
      messages_.insert_or_assign(r.renamed, found.mapped());
    }
    break;
  case event_kind::io: detail_of(instant(e, "io"), "handlers", std::to_string(r.message)); break;
  case event_kind::restart: instant(e, "restart of " + utf8_text(e.text)); break;
  }
}

} // namespace smarm::detail
