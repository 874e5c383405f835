// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Spawning an actor that has a record from its first moment on: whoever wants to hear of its end is
// in it before it can run, and an actor that cannot be spawned has never been known to anybody.

#ifndef SMARM_DETAIL_WATCHED_SPAWN_HPP
#define SMARM_DETAIL_WATCHED_SPAWN_HPP

#include <smarm/detail/actor_record.hpp>
#include <smarm/detail/construct_actor.hpp>
#include <smarm/error.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/spawn_options.hpp>

#include <boost/system/result.hpp>

#include <memory>
#include <utility>

namespace smarm::detail {

// As try_spawn; calls prepare(slot, pid, record), noexcept, for the new actor, under no lock: nobody
// else knows it yet.
template <class Body, class Prepare>
[[nodiscard]] boost::system::result<join_handle> try_watched_spawn(const spawn_options* options,
                                                                   Body&& body, Prepare&& prepare) {
  auto spare = std::make_unique<actor_record>();
  errc error{};
  slot* s = spawn_here(options, std::forward<Body>(body), error);
  if (s == nullptr) {
    return make_error_code(error);
  }
  actor_record* record = s->record.load(std::memory_order_relaxed);
  if (record == nullptr) {
    record = spare.release();
    s->record.store(record, std::memory_order_release);
  }
  static_assert(noexcept(prepare(*s, s->id(), *record)));
  prepare(*s, s->id(), *record);
  return launch(*s);
}

// The same; throws boost::system::system_error instead.
template <class Body, class Prepare>
join_handle watched_spawn(const spawn_options* options, Body&& body, Prepare&& prepare) {
  return checked_spawn(
      try_watched_spawn(options, std::forward<Body>(body), std::forward<Prepare>(prepare)));
}

} // namespace smarm::detail

#endif
