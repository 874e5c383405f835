// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A supervisor starts its children in order, starts anew what has ended, and ends them in reverse order
// when it ends itself. It never leaves one behind:
//
//     auto sup = smarm::start_supervisor({.strategy = smarm::one_for_all, .intensity = 3}, {
//         {.id = "db", .start = smarm::server<db_pool>(dsn), .shutdown = 1s},
//         {.id = "poll", .start = [] { poll(); }, .restart = smarm::restart::transient},
//     }).value();
//
// It is a server: a ref keeps it alive, when the last one goes it ends, and sys looks at it. While it
// starts a child, or ends one, it waits for that, and what is asked of it waits, too.

#ifndef SMARM_SUPERVISOR_HPP
#define SMARM_SUPERVISOR_HPP

#include <smarm/any_server.hpp>
#include <smarm/child_info.hpp>
#include <smarm/child_spec.hpp>
#include <smarm/child_start.hpp>
#include <smarm/detail/deadline.hpp>
#include <smarm/pid.hpp>
#include <smarm/server_ref.hpp>
#include <smarm/supervisor_options.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace smarm {

namespace detail {
struct supervisor_access;
// Of a child that runs, if it is a server of that class.
[[nodiscard]] boost::system::result<any_server>
find_child(const any_server& supervisor, std::string_view id, type_key server_class);
} // namespace detail

// Reaches a supervisor from actors and from plain threads; copy it, keep it, send it. All calls but
// id() wait until the supervisor answers, which may be busy with a child that starts or ends; they
// suspend the calling actor, are stop points, and have the errors of server_ref::call: server_down,
// calling_self, out_of_memory, would_block_scheduler. A child that calls its own supervisor while that
// waits for it, in its init or in its terminate, waits until the limits of its spec end that.
class supervisor_ref {
public:
  // Refers to none, as if it had ended: every call but shutdown gives server_down.
  supervisor_ref() noexcept = default;

  // Starts one more child, after those that are there. Returns its pid; none if its init chose not to
  // run, and the spec stays then, unless it is temporary. Errors: already_started, already_present (it
  // does not run) for an id that there is; what starting it gave, and nothing of it stays. Throws
  // boost::system::system_error, errc::invalid_config, with a text that names the field.
  [[nodiscard]] boost::system::result<pid> start_child(child_spec spec) const;

  // Ends a child, in the three stages that its spec says, and waits for that. The spec stays, unless
  // it is temporary. No error if it has ended already. Error: no_child.
  boost::system::result<void> terminate_child(std::string_view id) const;
  // Starts a child anew that has ended. Does not count as a restart. Returns its pid; none if its init
  // chose not to run. Errors: no_child, already_started, child_restarting; what starting it gave.
  boost::system::result<pid> restart_child(std::string_view id) const;
  // Forgets a child that has ended. Errors: no_child, already_started (it runs), child_restarting.
  boost::system::result<void> delete_child(std::string_view id) const;

  // In the order in which they are started. Linear.
  [[nodiscard]] boost::system::result<std::vector<child_info>> which_children() const;
  [[nodiscard]] boost::system::result<child_count> count_children() const;
  // Error: no_child.
  [[nodiscard]] boost::system::result<child_spec> get_childspec(std::string_view id) const;

  // The server that a child is at this moment. Errors: no_child, no_process (it does not run at the
  // moment), no_channel (it is no server of that class).
  template <class S>
  [[nodiscard]] boost::system::result<server_ref<S>> find_child(std::string_view id) const {
    auto found = detail::find_child(server_, id, detail::key_of<S>());
    if (!found) {
      return found.error();
    }
    return detail::typed<S>(*std::move(found));
  }

  // Asks the supervisor to end, and waits until it has, and all its children before. If that takes
  // longer, timed_out: then it is told to hurry, which it tells its children. Suspends. A stop point.
  template <class Rep, class Period>
  [[nodiscard]] boost::system::result<void>
  shutdown(const std::chrono::duration<Rep, Period>& limit) const {
    return shutdown_before(detail::deadline_after(limit));
  }
  template <class Clock, class Duration>
  [[nodiscard]] boost::system::result<void>
  shutdown(const std::chrono::time_point<Clock, Duration>& deadline) const {
    return shutdown_before(detail::deadline_of(deadline));
  }

  // The supervisor's actor.
  [[nodiscard]] pid id() const noexcept { return server_.id(); }
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(server_); }
  // For sys, and for lists of servers.
  operator any_server() const noexcept { return server_; } // NOLINT: it is one

  friend bool operator==(const supervisor_ref&, const supervisor_ref&) noexcept = default;

private:
  friend struct detail::supervisor_access;
  explicit supervisor_ref(any_server server) noexcept : server_(std::move(server)) {}
  [[nodiscard]] boost::system::result<void> shutdown_before(std::int64_t deadline) const;

  any_server server_;
};

// Starts a supervisor and its children, in this order, as a child of the caller, and returns when all of
// them are started. If one cannot be started those before it are ended in reverse order, and so is the
// supervisor: start_failed, and the report of its end says which child and why. Suspends. A stop point:
// a caller that is stopped meanwhile leaves a supervisor that ends. Errors: also those of start_server,
// name_taken. Throws boost::system::system_error, errc::invalid_config, for options and specs that
// cannot be right, with a text that names child and field; std::bad_alloc.
[[nodiscard]] boost::system::result<supervisor_ref>
start_supervisor(supervisor_options options, std::vector<child_spec> children = {});
// The same in the runtime of that handle, from any thread, as nobody's child.
[[nodiscard]] boost::system::result<supervisor_ref>
start_supervisor(const runtime_handle& runtime, supervisor_options options,
                 std::vector<child_spec> children = {});

// A supervisor as the child of another one. Throws as start_supervisor.
[[nodiscard]] child_start supervision_tree(supervisor_options options,
                                           std::vector<child_spec> children = {});

// Who has that name. Errors: unresolved; no_channel if it is no supervisor. Throws system_error with
// errc::not_in_actor on a plain thread, where the other one works, which gives runtime_down besides.
// Neither suspends nor is a stop point.
[[nodiscard]] boost::system::result<supervisor_ref> find_supervisor(std::string_view name);
[[nodiscard]] boost::system::result<supervisor_ref> find_supervisor(const runtime_handle& runtime,
                                                                    std::string_view name);

// Throws what start_supervisor throws for these, and does nothing else.
void check_child_specs(const supervisor_options& options, const std::vector<child_spec>& children);

} // namespace smarm

#endif
