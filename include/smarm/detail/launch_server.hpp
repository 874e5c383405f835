// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Servers as the children of a supervisor.

#ifndef SMARM_DETAIL_LAUNCH_SERVER_HPP
#define SMARM_DETAIL_LAUNCH_SERVER_HPP

#include <smarm/bounded.hpp>
#include <smarm/detail/child_launcher.hpp>
#include <smarm/detail/launch_actor.hpp>
#include <smarm/detail/server_start.hpp>
#include <smarm/error.hpp>
#include <smarm/server_options.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace smarm::detail {

// What a child of that class is if its spec does not say.
template <class S>
inline constexpr child_type type_of_child = child_type();

template <class S, class... Arguments>
class server_launcher final : public child_launcher {
public:
  template <class... Given>
  server_launcher(const start_options& options, std::string name, Given&&... given)
      : actor_(options.actor != nullptr ? *options.actor : spawn_options()),
        inbox_(options.inbox != nullptr ? *options.inbox : bounded()), name_(std::move(name)),
        arguments_(std::forward<Given>(given)...) {}

  errc launch(std::string_view label, std::int64_t deadline, running_child& into) const override {
    const spawn_options actor = actor_.with_label(label);
    start_options options(&actor);
    options.inbox = inbox_.capacity != 0 ? &inbox_ : nullptr;
    return launch_server<S>(options, name_, std::tuple<Arguments...>(arguments_), deadline, into);
  }
  [[nodiscard]] child_type type() const noexcept override { return type_of_child<S>; }
  [[nodiscard]] type_key server_class() const noexcept override { return key_of<S>(); }

private:
  const kept_options actor_;
  const bounded inbox_;
  const std::string name_; // empty: none
  const std::tuple<Arguments...> arguments_;
};

template <class S, class... Arguments>
[[nodiscard]] std::shared_ptr<const child_launcher>
make_server_launcher(const start_options& options, std::string name, Arguments&&... arguments) {
  check_server_arguments<S, Arguments...>();
  static_assert((std::is_copy_constructible_v<std::decay_t<Arguments>> && ...),
                "smarm: a child may be started again, so what it is made of must be copyable");
  return std::make_shared<const server_launcher<S, std::decay_t<Arguments>...>>(
      options, std::move(name), std::forward<Arguments>(arguments)...);
}

} // namespace smarm::detail

#endif
