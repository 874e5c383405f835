// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How a child is started, again and again: for child_spec::start.
//
//     .start = [] { poll_for_ever(); }                 a plain actor, by a copyable function
//     .start = smarm::actor<worker>(arguments...)      a typed one, as spawn_actor
//     .start = smarm::server<db_pool>(arguments...)    a server, as start_server
//     .start = smarm::server(the_pool, arguments...)   a server under its name
//
// Arguments are copied for each start. See also supervision_tree in supervisor.hpp and bridge in
// bridge.hpp.

#ifndef SMARM_CHILD_START_HPP
#define SMARM_CHILD_START_HPP

#include <smarm/detail/child_launcher.hpp>
#include <smarm/detail/launch_actor.hpp>
#include <smarm/detail/launch_server.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/server_name.hpp>
#include <smarm/server_options.hpp>
#include <smarm/spawn_options.hpp>

#include <concepts>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace smarm {

// Cheap to copy.
class child_start {
public:
  // Starts nothing; refused in a spec.
  child_start() noexcept = default;
  // A plain actor that calls a copy of this.
  template <class Body>
    requires(!std::same_as<std::remove_cvref_t<Body>, child_start> &&
             std::copy_constructible<std::decay_t<Body>> && std::invocable<std::decay_t<Body>>)
  child_start(Body&& body) // NOLINT: not explicit, so that a lambda is all that is written
      : launcher_(std::make_shared<const detail::body_launcher<std::decay_t<Body>>>(
            std::forward<Body>(body))) {}
  explicit child_start(std::shared_ptr<const detail::child_launcher> launcher) noexcept
      : launcher_(std::move(launcher)) {}

  [[nodiscard]] explicit operator bool() const noexcept { return launcher_ != nullptr; }
  [[nodiscard]] const detail::child_launcher* launcher() const noexcept { return launcher_.get(); }

private:
  std::shared_ptr<const detail::child_launcher> launcher_;
};

// A server of that class. Throws std::bad_alloc and what copying the arguments throws.
template <class S, class... Arguments>
[[nodiscard]] child_start server(const server_options& options, Arguments&&... arguments) {
  return child_start(detail::make_server_launcher<S>(&options, std::string(),
                                                     std::forward<Arguments>(arguments)...));
}
template <class S, class... Arguments>
[[nodiscard]] child_start server(const spawn_options& options, Arguments&&... arguments) {
  return child_start(detail::make_server_launcher<S>(&options, std::string(),
                                                     std::forward<Arguments>(arguments)...));
}
template <class S, class... Arguments>
  requires(!detail::begins_with_options<Arguments...>)
[[nodiscard]] child_start server(Arguments&&... arguments) {
  return child_start(detail::make_server_launcher<S>(nullptr, std::string(),
                                                     std::forward<Arguments>(arguments)...));
}

// The same under that name. It is free again when the next one is started.
template <class S, class... Arguments>
[[nodiscard]] child_start server(const server_name<S>& name, const server_options& options,
                                 Arguments&&... arguments) {
  return child_start(detail::make_server_launcher<S>(&options, std::string(name.text()),
                                                     std::forward<Arguments>(arguments)...));
}
template <class S, class... Arguments>
  requires(!detail::begins_with_options<Arguments...>)
[[nodiscard]] child_start server(const server_name<S>& name, Arguments&&... arguments) {
  return child_start(detail::make_server_launcher<S>(nullptr, std::string(name.text()),
                                                     std::forward<Arguments>(arguments)...));
}

// A typed actor, see spawn_actor. It counts as started as soon as it is spawned.
template <class A, class... Arguments>
[[nodiscard]] child_start actor(const spawn_options& options, Arguments&&... arguments) {
  return child_start(
      detail::make_actor_launcher<A>(options, std::forward<Arguments>(arguments)...));
}
template <class A, class... Arguments>
  requires(!detail::begins_with_options<Arguments...>)
[[nodiscard]] child_start actor(Arguments&&... arguments) {
  return child_start(
      detail::make_actor_launcher<A>(spawn_options(), std::forward<Arguments>(arguments)...));
}

} // namespace smarm

#endif
