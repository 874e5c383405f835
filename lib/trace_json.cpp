// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A recording as JSON in the trace event format.

#include <smarm/trace.hpp>

#include "trace_picture.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/errc.hpp>

#include <cerrno>
#include <fstream>
#include <ostream>
#include <string>
#include <utility>

namespace smarm::detail {
namespace {

namespace json = boost::json;

json::object on_track(const track& on, const char* phase) {
  return {{"ph", phase}, {"pid", on.group}, {"tid", on.number}};
}

json::object name_event(const char* what, const track& on, const std::string& name) {
  json::object out = on_track(on, "M");
  out["name"] = what;
  out["args"] = json::object{{"name", name}};
  return out;
}

void write_picture(std::ostream& out, const traced& from) {
  const trace_picture all(from);
  const std::int64_t origin = from.entries.empty() ? 0 : from.entries.front().record.at;
  bool first = true;
  const auto put = [&](const json::object& o) {
    out << (first ? "" : ",\n") << json::serialize(o);
    first = false;
  };
  std::uint64_t lost = 0;
  for (const std::uint64_t of_one : from.lost) {
    lost += of_one;
  }
  const json::object about{{"format_version", 1},
                           {"lost_events", lost},
                           {"actors_without_track", all.actors_without_track()}};
  out << "{\"displayTimeUnit\":\"ns\",\"otherData\":" << json::serialize(about)
      << ",\"traceEvents\":[\n";
  put(name_event("process_name", {schedulers, 0}, "schedulers"));
  put(name_event("process_name", {actors, 0}, "actors"));
  put(name_event("process_name", {other_threads, 0}, "other threads"));
  for (std::size_t i = 0; i < from.sources.size(); ++i) {
    const trace_source& s = from.sources[i];
    if (s.scheduler != trace_source::outside) {
      const std::string runtime =
          s.runtime == 0 ? "" : "runtime " + std::to_string(s.runtime + 1) + ", ";
      const std::string missing =
          from.lost[i] == 0 ? "" : ", the first " + std::to_string(from.lost[i]) + " events lost";
      put(name_event("thread_name", {schedulers, std::int64_t{s.runtime} * 64 + s.scheduler + 1},
                     runtime + "scheduler " + std::to_string(s.scheduler) + missing));
    }
  }
  for (const auto& [who, number] : all.actor_tracks()) {
    put(name_event("thread_name", {actors, number}, all.title(who)));
  }
  for (const auto& [on, is_open] : all.tracks()) {
    if (on.group == other_threads) {
      put(name_event("thread_name", on, "thread " + std::to_string(on.number)));
    }
  }
  for (const trace_line& l : all.lines()) {
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
  detail::write_picture(out, detail::read_recording());
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
