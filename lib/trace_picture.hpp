// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A recording as slices, arrows and marks on tracks: what a trace file consists of, before it is written.

#ifndef SMARM_LIB_TRACE_PICTURE_HPP
#define SMARM_LIB_TRACE_PICTURE_HPP

#include "trace_recording.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace smarm::detail {

// What the format calls a process is a group of tracks.
enum track_group : int { schedulers = 1, actors = 2, other_threads = 3 };

struct track {
  int group; // a track_group
  std::int64_t number;

  auto operator<=>(const track&) const = default;
};

// One line of the file.
struct trace_line {
  std::int64_t at;
  char phase;
  track on;
  std::uint64_t flow; // 0: none
  std::string name;
  std::vector<std::pair<const char*, std::string>> details;
};

class trace_picture {
public:
  // Of what outlives it. Throws std::bad_alloc, as all of these.
  explicit trace_picture(const traced& from);

  [[nodiscard]] const std::vector<trace_line>& lines() const noexcept { return lines_; }
  // The tracks of schedulers, and those of actors that have one, by their numbers.
  [[nodiscard]] track track_of(const traced::entry& e) const;
  [[nodiscard]] const std::map<track, bool>& tracks() const noexcept { return seen_; }
  [[nodiscard]] const std::map<traced_actor, std::int64_t>& actor_tracks() const noexcept {
    return numbers_;
  }
  [[nodiscard]] std::size_t actors_without_track() const noexcept { return without_track_; }
  // What an actor is called.
  [[nodiscard]] std::string title(const traced_actor& who) const;

private:
  using entry = traced::entry;

  // One that has begun, at that line, and may find its end.
  using arrow = std::size_t;

  void choose_actor_tracks();
  void draw(const entry& e);
  void close_all();

  std::size_t add(std::int64_t at, char phase, track on, std::string name = {},
                  std::uint64_t flow = 0);
  void open(std::int64_t at, track on, const std::string& name);
  void close(std::int64_t at, track on);
  // What an actor is doing, on its own track.
  void actor_does(std::int64_t at, const traced_actor& who, const std::string& what);
  void actor_ends(std::int64_t at, const traced_actor& who);
  std::size_t instant(const entry& e, std::string name);
  void detail_of(std::size_t at, const char* key, std::string value);

  template <class Key>
  void begin_arrow(std::map<Key, arrow>& of, const Key& key, const entry& e, const std::string& name);
  template <class Key>
  void end_arrow(std::map<Key, arrow>& of, const Key& key, const entry& e);

  const traced& from_;
  std::vector<trace_line> lines_;
  std::map<track, bool> seen_; // the tracks, and whether a slice is open there
  std::map<traced_actor, std::int64_t> numbers_;
  std::size_t without_track_ = 0;
  std::map<traced_actor, arrow> wakes_;
  std::map<std::uint64_t, arrow> messages_;
  std::map<unsigned, traced_actor> timer_for_; // the last record of a source, if it was a timer
  std::uint64_t last_flow_ = 0;
};

} // namespace smarm::detail

#endif
