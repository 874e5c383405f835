// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Spawning an actor that others have to do with from its first moment on: whoever wants to hear of its
// end is known before it can run, and an actor that cannot be spawned has never been known to anybody.

#ifndef SMARM_DETAIL_WATCHED_SPAWN_HPP
#define SMARM_DETAIL_WATCHED_SPAWN_HPP

#include <smarm/detail/attend.hpp>
#include <smarm/detail/construct_actor.hpp>
#include <smarm/error.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/spawn_options.hpp>

#include <boost/system/result.hpp>

#include <memory>
#include <utility>

namespace smarm::detail {

// Of an actor that nobody else knows yet.
[[nodiscard]] relations& give_relations(slot& fresh, std::unique_ptr<actor_record> spare) noexcept;

// As try_spawn; calls prepare(slot, pid, relations), noexcept, for the new actor, under no lock: nobody
// else knows it yet.
template <class Body, class Prepare>
[[nodiscard]] boost::system::result<join_handle> try_watched_spawn(const spawn_options* options,
                                                                   Body&& body, Prepare&& prepare) {
  auto spare = record_with_relations();
  errc error{};
  slot* s = spawn_here(options, std::forward<Body>(body), error);
  if (s == nullptr) {
    return make_error_code(error);
  }
  relations& known = give_relations(*s, std::move(spare));
  static_assert(noexcept(prepare(*s, s->id(), known)));
  prepare(*s, s->id(), known);
  return launch(*s);
}

// The same; throws boost::system::system_error instead.
template <class Body, class Prepare>
join_handle watched_spawn(const spawn_options* options, Body&& body, Prepare&& prepare) {
  return checked_spawn(
      try_watched_spawn(options, std::forward<Body>(body), std::forward<Prepare>(prepare)),
      options);
}

} // namespace smarm::detail

#endif
