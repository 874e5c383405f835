// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A child as its supervisor keeps it, and how one is ended.
//
// Ending has three stages. It is asked, and has the time of its spec; then it is stopped, and has its
// grace; then it is abandoned. The stages of several children can be gone through at once. Nothing of
// that takes memory, so that a supervisor which ends for want of it leaves nobody behind.

#ifndef SMARM_LIB_SUPERVISED_CHILD_HPP
#define SMARM_LIB_SUPERVISED_CHILD_HPP

#include "duration_text.hpp"

#include <smarm/child_info.hpp>
#include <smarm/child_spec.hpp>
#include <smarm/detail/child_launcher.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/gen_server.hpp>
#include <smarm/pid.hpp>

#include <boost/intrusive/list.hpp>
#include <boost/system/result.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace smarm::detail {

struct supervised_child : boost::intrusive::list_base_hook<> {
  explicit supervised_child(child_spec s) : spec(std::move(s)) {}

  [[nodiscard]] bool has_actor() const noexcept { return now.actor.joinable(); }
  [[nodiscard]] pid actor() const noexcept {
    return has_actor() ? now.actor.id() : pid::none();
  }
  [[nodiscard]] child_type type() const noexcept {
    return spec.type.value_or(spec.start.launcher()->type());
  }
  // What the spec says of these, or what holds if it does not.
  [[nodiscard]] std::chrono::nanoseconds shutdown() const noexcept;
  [[nodiscard]] std::chrono::nanoseconds grace() const noexcept;
  [[nodiscard]] child_info info() const;
  // Errors: no_process, no_channel.
  [[nodiscard]] boost::system::result<any_server> server_of(type_key server_class) const;

  const child_spec spec;
  running_child now; // has an actor also while it starts, and while it ends
  child_state state = child_state::ended;

  std::uint64_t restarts = 0;
  exit_reason last;                            // how it ended, if it restarts
  pid known_as;                                // its present actor, or its last one
  std::uint64_t retry = 0;                     // if it is to be tried again: by what is asked for that
  server_timer alarm = server_timer::none;     // and when
  unsigned failures = 0;                       // since it was last well, for the back-off
  std::int64_t started_at = 0;                 // of the monotonic clock, ns
  std::int64_t deadline = no_deadline;         // of the present stage of its ending
};

using child_list = boost::intrusive::list<supervised_child>;

// ---- the stages; the child has an actor. `asks` and `stops` neither suspend nor are stop points.

void ask_to_end(supervised_child& c, std::chrono::nanoseconds limit) noexcept;
void stop_child(supervised_child& c) noexcept;
// Waits until it has ended, not longer than the stage has; then it has no actor, and that is how it
// ended. Suspends, a stop point, after which it still has its actor.
[[nodiscard]] bool join_child(supervised_child& c, exit_reason& how);
// It has no actor from then on, and its end is reported as that of one that was abandoned. True: so it
// is. False: it has just ended.
[[nodiscard]] bool abandon_child(supervised_child& c, exit_reason& how) noexcept;

// child "db", for texts
[[nodiscard]] std::string name_of(const supervised_child& c);
// "1 restart", "2 restarts"
[[nodiscard]] std::string restarts_text(std::size_t n);

} // namespace smarm::detail

#endif
