// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// How a supervisor starts a child of whichever kind.

#ifndef SMARM_DETAIL_CHILD_LAUNCHER_HPP
#define SMARM_DETAIL_CHILD_LAUNCHER_HPP

#include <smarm/any_server.hpp>
#include <smarm/detail/published.hpp>
#include <smarm/error.hpp>
#include <smarm/join_handle.hpp>

#include <cstdint>
#include <string_view>

namespace smarm {
enum class child_type : unsigned char;
}

namespace smarm::detail {

// A child as its supervisor holds it. The handle keeps how it ended, the ref keeps a server alive.
struct running_child {
  join_handle actor; // joinable: it runs, or its end was not seen to yet
  any_server server; // empty: it is none
};

// What a child_start refers to. Immutable, so that the copies of a spec can share it.
class child_launcher {
public:
  child_launcher() = default;
  child_launcher(const child_launcher&) = delete;
  child_launcher& operator=(const child_launcher&) = delete;
  virtual ~child_launcher() = default;

  // Starts the child as one of the caller's, with that label if it has none, and waits until its init
  // is done. Whatever ends the wait, what was spawned is in `into`, which was empty; who stops waiting
  // has to end it. errc{}: it runs. start_failed, start_ignored, name_taken: it has ended, or is about
  // to. timed_out: it is still in its init. Those of try_spawn: nothing was spawned. A stop point;
  // throws what copying what the child is made of throws.
  virtual errc launch(std::string_view label, std::int64_t deadline, running_child& into) const = 0;

  [[nodiscard]] virtual child_type type() const noexcept = 0;
  // The class of the server; null: it is none.
  [[nodiscard]] virtual type_key server_class() const noexcept { return nullptr; }
};

} // namespace smarm::detail

#endif
