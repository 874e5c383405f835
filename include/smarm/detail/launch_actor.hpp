// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Plain and typed actors as the children of a supervisor.

#ifndef SMARM_DETAIL_LAUNCH_ACTOR_HPP
#define SMARM_DETAIL_LAUNCH_ACTOR_HPP

#include <smarm/detail/child_launcher.hpp>
#include <smarm/error.hpp>
#include <smarm/spawn.hpp>
#include <smarm/spawn_actor.hpp>
#include <smarm/spawn_options.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace smarm::detail {

// Options that outlive the text that they were given as a label.
class kept_options {
public:
  kept_options(const spawn_options& given) : label_(given.label), options_(given) {} // NOLINT

  [[nodiscard]] spawn_options with_label(std::string_view otherwise) const noexcept {
    spawn_options all = options_;
    all.label = label_.empty() ? otherwise : std::string_view(label_);
    return all;
  }

private:
  std::string label_;
  spawn_options options_;
};

template <class Handle>
[[nodiscard]] errc keep_spawned(boost::system::result<Handle> made, running_child& into) {
  if (!made) {
    return static_cast<errc>(made.error().value());
  }
  into.actor = *std::move(made);
  return errc{};
}

template <class Body>
class body_launcher final : public child_launcher {
public:
  template <class Given>
  explicit body_launcher(Given&& body) : body_(std::forward<Given>(body)) {}

  errc launch(std::string_view label, std::int64_t, running_child& into) const override {
    return keep_spawned(try_spawn({.label = label}, Body(body_)), into);
  }
  [[nodiscard]] child_type type() const noexcept override { return child_type(); }

private:
  const Body body_;
};

template <class A, class... Arguments>
class typed_actor_launcher final : public child_launcher {
public:
  template <class... Given>
  explicit typed_actor_launcher(const spawn_options& options, Given&&... given)
      : options_(options), arguments_(std::forward<Given>(given)...) {}

  errc launch(std::string_view label, std::int64_t, running_child& into) const override {
    const spawn_options options = options_.with_label(label);
    return std::apply(
        [&](const auto&... each) {
          return keep_spawned(try_spawn_actor<A>(options, each...), into);
        },
        arguments_);
  }
  [[nodiscard]] child_type type() const noexcept override { return child_type(); }

private:
  const kept_options options_;
  const std::tuple<Arguments...> arguments_;
};

template <class A, class... Arguments>
[[nodiscard]] std::shared_ptr<const child_launcher>
make_actor_launcher(const spawn_options& options, Arguments&&... arguments) {
  static_assert((std::is_copy_constructible_v<std::decay_t<Arguments>> && ...),
                "smarm: a child may be started again, so what it is made of must be copyable");
  return std::make_shared<const typed_actor_launcher<A, std::decay_t<Arguments>...>>(
      options, std::forward<Arguments>(arguments)...);
}

} // namespace smarm::detail

#endif
