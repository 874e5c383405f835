// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Starting actors from inside an actor. From outside a runtime, runtime_handle does it.
//
//     auto worker = smarm::spawn([] { ... });
//     auto other = smarm::spawn({.label = "parser", .stack_size = 1 << 20}, [] { ... });
//     smarm::exit_status how = worker.join();

#ifndef SMARM_SPAWN_HPP
#define SMARM_SPAWN_HPP

#include <smarm/detail/construct_actor.hpp>
#include <smarm/error.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/spawn_options.hpp>

#include <boost/system/result.hpp>

#include <utility>

namespace smarm {

// Starts an actor that calls `body`, a move-only callable without arguments, and ends when that
// returns or throws. The caller goes on; the new actor runs when its turn comes. Its parent is the
// caller. Neither suspends nor is a stop point. Errors: too_many_actors, out_of_stacks,
// out_of_memory, invalid_config for options out of range, not_in_actor; runtime_down in scheduler
// context once the last actor has ended.
template <class Body>
[[nodiscard]] boost::system::result<join_handle> try_spawn(const spawn_options& options,
                                                           Body&& body) {
  errc error{};
  if (detail::slot* s = detail::spawn_here(&options, std::forward<Body>(body), error)) {
    return detail::launch(*s);
  }
  return make_error_code(error);
}
template <class Body>
[[nodiscard]] boost::system::result<join_handle> try_spawn(Body&& body) {
  errc error{};
  if (detail::slot* s = detail::spawn_here(nullptr, std::forward<Body>(body), error)) {
    return detail::launch(*s);
  }
  return make_error_code(error);
}

// The same; throws boost::system::system_error instead, for options out of range with a text that
// names the field, its value and what is allowed.
template <class Body>
join_handle spawn(const spawn_options& options, Body&& body) {
  errc error{};
  detail::slot* s = detail::spawn_here(&options, std::forward<Body>(body), error);
  if (SMARM_UNLIKELY(s == nullptr)) {
    detail::throw_spawn_error(make_error_code(error), &options);
  }
  return detail::launch(*s);
}
template <class Body>
join_handle spawn(Body&& body) {
  errc error{};
  detail::slot* s = detail::spawn_here(nullptr, std::forward<Body>(body), error);
  if (SMARM_UNLIKELY(s == nullptr)) {
    detail::throw_spawn_error(make_error_code(error));
  }
  return detail::launch(*s);
}

} // namespace smarm

#endif
