// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a supervisor knows of a child: how to start it, when to start it anew, how to end it. Data, to be
// written in place:
//
//     smarm::child_spec{.id = "db", .start = smarm::server<db_pool>(dsn), .shutdown = 2s}

#ifndef SMARM_CHILD_SPEC_HPP
#define SMARM_CHILD_SPEC_HPP

#include <smarm/child_start.hpp>
#include <smarm/restart_backoff.hpp>

#include <chrono>
#include <optional>
#include <string>

namespace smarm {

// No limit, where a limit is asked for.
inline constexpr std::chrono::nanoseconds infinity = std::chrono::nanoseconds::max();

enum class restart : unsigned char {
  permanent, // whenever it has ended
  transient, // when it has failed, or was stopped; not after a clean end, see exit_reason::is_clean
  temporary, // never, also if it was ended for a sibling's sake; its spec goes with it
};

enum class child_type : unsigned char { worker, supervisor };

//[child_spec_outline
struct child_spec {
  // Unique among the children of one supervisor; also the label of its actor, if it has no other.
  std::string id = {};

  // A copyable function for a plain actor, or what server(), actor(), supervision_tree(), bridge() make.
  child_start start = {};

  smarm::restart restart = smarm::restart::permanent;

  // How long it may take to end when it is asked to; then it is stopped. 0: it is stopped at once.
  // Default: infinity for supervisors, which see to that themselves; else five seconds.
  std::optional<std::chrono::nanoseconds> shutdown = {};

  // How long it may take to end when it is stopped, its terminate included, whose waits are stop points
  // then. After that it is abandoned, which is reported: its names and groups are taken from it, who
  // monitors it is told, and nothing waits for it any more. Default: infinity for supervisors, which
  // end when their children have, or have been abandoned; else one second.
  std::optional<std::chrono::nanoseconds> grace = {};

  // When it ends for good this may end the supervisor: see auto_shutdown.
  bool significant = false;

  // Default: what `start` makes.
  std::optional<child_type> type = {};

  // How long its init may take; then it is ended, and has failed to start.
  std::chrono::nanoseconds start_limit = infinity;

  // Default: the supervisor's.
  std::optional<restart_backoff> backoff = {};
};
//]

[[nodiscard]] const char* to_string(restart r) noexcept;
[[nodiscard]] const char* to_string(child_type t) noexcept;

} // namespace smarm

#endif
