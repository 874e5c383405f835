// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A supervisor for children that come and go, as many as there are connections or jobs. They have no ids
// and no order: each is started when it is asked for, started anew by itself, and they are ended all at
// once.
//
//     auto sup = smarm::start_dynamic_supervisor({.max_children = 10'000}).value();
//     auto c = sup.start_child<connection>({.restart = smarm::restart::temporary}, socket).value();

#ifndef SMARM_DYNAMIC_SUPERVISOR_HPP
#define SMARM_DYNAMIC_SUPERVISOR_HPP

#include <smarm/any_server.hpp>
#include <smarm/child_info.hpp>
#include <smarm/child_spec.hpp>
#include <smarm/child_start.hpp>
#include <smarm/pid.hpp>
#include <smarm/server_ref.hpp>
#include <smarm/supervisor.hpp>
#include <smarm/supervisor_options.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smarm {

//[dynamic_supervisor_options_outline
struct dynamic_supervisor_options {
  // How many children there may be at once, those that wait for their restart among them.
  std::size_t max_children = std::numeric_limits<std::size_t>::max();

  // As those of supervisor_options.
  unsigned intensity = 1;
  std::chrono::nanoseconds period = std::chrono::seconds(5);
  restart_backoff backoff = {};
  std::string name = {};
  std::string label = {};
  std::function<std::chrono::steady_clock::time_point()> clock = {};
};
//]

// As supervisor_ref.
class dynamic_supervisor_ref {
public:
  dynamic_supervisor_ref() noexcept = default;

  // Starts a child; `spec.id` is its label, and nothing more. Returns its pid; none if its init chose
  // not to run, and nothing of it stays then. Errors: too_many_children; what starting it gave. Throws
  // boost::system::system_error, errc::invalid_config, with a text that names the field.
  [[nodiscard]] boost::system::result<pid> start_child(child_spec spec) const;
  // The same for a server of that class; `spec.start` is made of the arguments. Returns its ref. Error:
  // also start_ignored.
  template <class S, class... Arguments>
  [[nodiscard]] boost::system::result<server_ref<S>> start_child(child_spec spec,
                                                                 Arguments&&... arguments) const {
    spec.start = server<S>(std::forward<Arguments>(arguments)...);
    auto started = start_server_child(std::move(spec));
    if (!started) {
      return started.error();
    }
    return detail::typed<S>(*std::move(started));
  }

  // Ends a child, and waits until it has ended; it is not started again. The pid of its last actor will
  // do while it waits for its restart. Error: no_child.
  boost::system::result<void> terminate_child(pid child) const;

  // The server that a child is, for who has only its pid, as from which_children. Errors: no_child,
  // no_channel (it is no server of that class).
  template <class S>
  [[nodiscard]] boost::system::result<server_ref<S>> find_child(pid child) const {
    auto found = find_server_child(child, detail::key_of<S>());
    if (!found) {
      return found.error();
    }
    return detail::typed<S>(*std::move(found));
  }

  // In no order. Linear.
  [[nodiscard]] boost::system::result<std::vector<child_info>> which_children() const;
  [[nodiscard]] boost::system::result<child_count> count_children() const;

  // As supervisor_ref::shutdown.
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

  [[nodiscard]] pid id() const noexcept { return server_.id(); }
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(server_); }
  operator any_server() const noexcept { return server_; } // NOLINT: it is one

  friend bool operator==(const dynamic_supervisor_ref&,
                         const dynamic_supervisor_ref&) noexcept = default;

private:
  friend struct detail::supervisor_access;
  explicit dynamic_supervisor_ref(any_server server) noexcept : server_(std::move(server)) {}
  [[nodiscard]] boost::system::result<any_server> start_server_child(child_spec spec) const;
  [[nodiscard]] boost::system::result<any_server>
  find_server_child(pid child, detail::type_key server_class) const;
  [[nodiscard]] boost::system::result<void> shutdown_before(std::int64_t deadline) const;

  any_server server_;
};

// As start_supervisor; the children come later.
[[nodiscard]] boost::system::result<dynamic_supervisor_ref>
start_dynamic_supervisor(dynamic_supervisor_options options = {});
[[nodiscard]] boost::system::result<dynamic_supervisor_ref>
start_dynamic_supervisor(const runtime_handle& runtime, dynamic_supervisor_options options = {});

// One as the child of a supervisor. Throws as start_dynamic_supervisor.
[[nodiscard]] child_start dynamic_supervisor(dynamic_supervisor_options options = {});

// As find_supervisor.
[[nodiscard]] boost::system::result<dynamic_supervisor_ref>
find_dynamic_supervisor(std::string_view name);
[[nodiscard]] boost::system::result<dynamic_supervisor_ref>
find_dynamic_supervisor(const runtime_handle& runtime, std::string_view name);

} // namespace smarm

#endif
