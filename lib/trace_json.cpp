// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A recording as JSON in the trace event format.

#include <smarm/trace.hpp>

#include "trace_recording.hpp"

#include <smarm/detail/utf8_text.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/errc.hpp>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <ostream>
#include <sstream>
#include <utility>

namespace smarm::detail {
namespace {

namespace json = boost::json;

constexpr std::size_t most_actor_tracks = 1024;

// What the format calls a process is a group of tracks.
enum group : int { schedulers = 1, actors = 2, other_threads = 3 };

struct track {
  int group;
  std::int64_t number;

  auto operator<=>(const track&) const = default;
};

// One line of the file.
struct line {
  std::int64_t at;
  char phase;
  track on;
  std::uint64_t flow; // 0: none
  std::string name;
  std::vector<std::pair<const char*, std::string>> details;
};

std::string name_of(pid who) {
  std::ostringstream text;
  text << who;
  return std::move(text).str();
}

class picture {
public:
  explicit picture(const traced& from) : from_(from) {
    choose_actor_tracks();
    for (const auto& e : from_.entries) {
      draw(e);
    }
    close_all();
  }

  void write(std::ostream& out) const;

private:
  using entry = traced::entry;

  // One that has begun, at that line, and may find its end.
  using arrow = std::size_t;

  [[nodiscard]] track track_of(const entry& e) const {
    const trace_source& s = from_.sources[e.source];
    return s.scheduler == trace_source::outside
               ? track{other_threads, e.record.thread}
               : track{schedulers, std::int64_t{s.runtime} * 64 + s.scheduler + 1};
  }

  [[nodiscard]] std::string title(const traced_actor& who) const {
    if (!who.any()) {
      return "no actor";
    }
    const auto label = from_.labels.find(who);
    return label != from_.labels.end() ? utf8_text(label->second) + ' ' + name_of(who.id())
                                       : "actor " + name_of(who.id());
  }

  void choose_actor_tracks() {
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

  std::size_t add(std::int64_t at, char phase, track on, std::string name = {},
                  std::uint64_t flow = 0) {
    seen_[on];
    lines_.push_back({at, phase, on, flow, std::move(name), {}});
    return lines_.size() - 1;
  }

  void open(std::int64_t at, track on, const std::string& name) {
    close(at, on);
    add(at, 'B', on, name);
    seen_[on] = true;
  }
  void close(std::int64_t at, track on) {
    if (seen_[on]) {
      add(at, 'E', on);
      seen_[on] = false;
    }
  }

  // What an actor is doing, on its own track.
  void actor_does(std::int64_t at, const traced_actor& who, const std::string& what) {
    if (const auto mine = numbers_.find(who); mine != numbers_.end()) {
      open(at, {actors, mine->second}, what);
    }
  }
  void actor_ends(std::int64_t at, const traced_actor& who) {
    if (const auto mine = numbers_.find(who); mine != numbers_.end()) {
      close(at, {actors, mine->second});
    }
  }

  // An arrow may begin here; it is drawn if its end is found. Arrows begin in slices, so where there is
  // none a short one is made.
  template <class Key>
  void begin_arrow(std::map<Key, arrow>& of, const Key& key, const entry& e, const std::string& name) {
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
  void end_arrow(std::map<Key, arrow>& of, const Key& key, const entry& e) {
    if (const auto begun = of.find(key); begun != of.end()) {
      lines_[begun->second].flow = ++last_flow_;
      add(e.record.at, 'f', track_of(e), lines_[begun->second].name, last_flow_);
      of.erase(begun);
    }
  }

  std::size_t instant(const entry& e, std::string name) {
    return add(e.record.at, 'i', track_of(e), std::move(name));
  }
  void detail_of(std::size_t at, const char* key, std::string value) {
    lines_[at].details.emplace_back(key, std::move(value));
  }

  void draw(const entry& e);

  void close_all() {
    const std::int64_t last = from_.entries.empty() ? 0 : from_.entries.back().record.at;
    for (auto& [on, is_open] : seen_) {
      if (is_open) {
        lines_.push_back({last, 'E', on, 0, {}, {}});
        is_open = false;
      }
    }
  }

  const traced& from_;
  std::vector<line> lines_;
  std::map<track, bool> seen_; // the tracks, and whether a slice is open there
  std::map<traced_actor, std::int64_t> numbers_;
  std::size_t without_track_ = 0;
  std::map<traced_actor, arrow> wakes_;
  std::map<std::uint64_t, arrow> messages_;
  std::map<unsigned, traced_actor> timer_for_; // the last record of a source, if it was a timer
  std::uint64_t last_flow_ = 0;
};

void picture::draw(const entry& e) {
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
  case event_kind::io: detail_of(instant(e, "io"), "handlers", std::to_string(r.message)); break;
  case event_kind::restart: instant(e, "restart of " + utf8_text(e.text)); break;
  }
}

json::object on_track(const track& on, const char* phase) {
  return {{"ph", phase}, {"pid", on.group}, {"tid", on.number}};
}

json::object name_event(const char* what, const track& on, const std::string& name) {
  json::object out = on_track(on, "M");
  out["name"] = what;
  out["args"] = json::object{{"name", name}};
  return out;
}

void picture::write(std::ostream& out) const {
  const std::int64_t origin = from_.entries.empty() ? 0 : from_.entries.front().record.at;
  bool first = true;
  const auto put = [&](const json::object& o) {
    out << (first ? "" : ",\n") << json::serialize(o);
    first = false;
  };
  std::uint64_t lost = 0;
  for (const std::uint64_t of_one : from_.lost) {
    lost += of_one;
  }
  const json::object about{{"format_version", 1},
                           {"lost_events", lost},
                           {"actors_without_track", without_track_}};
  out << "{\"displayTimeUnit\":\"ns\",\"otherData\":" << json::serialize(about)
      << ",\"traceEvents\":[\n";
  put(name_event("process_name", {schedulers, 0}, "schedulers"));
  put(name_event("process_name", {actors, 0}, "actors"));
  put(name_event("process_name", {other_threads, 0}, "other threads"));
  for (std::size_t i = 0; i < from_.sources.size(); ++i) {
    const trace_source& s = from_.sources[i];
    if (s.scheduler != trace_source::outside) {
      const std::string runtime =
          s.runtime == 0 ? "" : "runtime " + std::to_string(s.runtime + 1) + ", ";
      const std::string missing =
          from_.lost[i] == 0 ? "" : ", the first " + std::to_string(from_.lost[i]) + " events lost";
      put(name_event("thread_name", {schedulers, std::int64_t{s.runtime} * 64 + s.scheduler + 1},
                     runtime + "scheduler " + std::to_string(s.scheduler) + missing));
    }
  }
  for (const auto& [who, number] : numbers_) {
    put(name_event("thread_name", {actors, number}, title(who)));
  }
  for (const auto& [on, is_open] : seen_) {
    if (on.group == other_threads) {
      put(name_event("thread_name", on, "thread " + std::to_string(on.number)));
    }
  }
  for (const line& l : lines_) {
    const bool is_arrow = l.phase == 's' || l.phase == 'f';
    if (is_arrow && l.flow == 0) {
      continue; // its end was not found
    }
    const char phase[] = {l.phase, '\0'};
    json::object o = on_track(l.on, phase);
    o["ts"] = static_cast<double>(l.at - origin) / 1000; // microseconds
    if (l.phase != 'E') {
      o["name"] = l.name;
    }
    if (is_arrow) {
      o["cat"] = "arrow";
      o["id"] = l.flow;
    }
    if (l.phase == 'f') {
      o["bp"] = "e";
    }
    if (l.phase == 'i') {
      o["s"] = "t";
    }
    if (!l.details.empty()) {
      json::object args;
      for (const auto& [key, value] : l.details) {
        args[key] = value;
      }
      o["args"] = std::move(args);
    }
    put(o);
  }
  out << "\n]}\n";
}

} // namespace
} // namespace smarm::detail

namespace smarm::trace {

boost::system::result<void> write(std::ostream& out) {
  const detail::traced all = detail::read_recording();
  detail::picture(all).write(out);
  out.flush();
  if (!out) {
    return make_error_code(boost::system::errc::io_error);
  }
  return {};
}

boost::system::result<void> write(const std::string& path) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) {
    return boost::system::error_code(errno != 0 ? errno : EIO, boost::system::system_category());
  }
  return write(file);
}

} // namespace smarm::trace
