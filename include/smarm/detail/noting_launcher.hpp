// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server as a supervisor's child of which somebody hears whenever there is a new one.

#ifndef SMARM_DETAIL_NOTING_LAUNCHER_HPP
#define SMARM_DETAIL_NOTING_LAUNCHER_HPP

#include <smarm/any_server.hpp>
#include <smarm/child_start.hpp>
#include <smarm/detail/child_launcher.hpp>
#include <smarm/error.hpp>
#include <smarm/stop.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace smarm::detail {

// note(any_server) is called in the supervisor's actor, before the child counts as started. If it says
// false the child is ended, and has failed to start.
template <class Note>
class noting_launcher final : public child_launcher {
public:
  noting_launcher(child_start start, Note note)
      : start_(std::move(start)), note_(std::move(note)) {}

  errc launch(std::string_view label, std::int64_t deadline, running_child& into) const override {
    const errc error = start_.launcher()->launch(label, deadline, into);
    if (error == errc{} && !note_(std::as_const(into.server))) {
      (void)request_stop(into.actor.id());
      return errc::start_failed;
    }
    return error;
  }
  [[nodiscard]] child_type type() const noexcept override { return start_.launcher()->type(); }
  [[nodiscard]] type_key server_class() const noexcept override {
    return start_.launcher()->server_class();
  }

private:
  const child_start start_;
  const Note note_;
};

// `start` is a server of whichever class.
template <class Note>
[[nodiscard]] child_start noting(child_start start, Note note) {
  return child_start(
      std::make_shared<const noting_launcher<Note>>(std::move(start), std::move(note)));
}

} // namespace smarm::detail

#endif
