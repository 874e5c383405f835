// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// From the refs of supervisors to their servers.

#ifndef SMARM_LIB_SUPERVISOR_ACCESS_HPP
#define SMARM_LIB_SUPERVISOR_ACCESS_HPP

#include "supervisor_checks.hpp"

#include <smarm/any_server.hpp>
#include <smarm/child_start.hpp>
#include <smarm/detail/launch_server.hpp>
#include <smarm/detail/named_server_calls.hpp>
#include <smarm/detail/server_start.hpp>
#include <smarm/error.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/runtime.hpp>
#include <smarm/server_ref.hpp>
#include <smarm/spawn_options.hpp>

#include <boost/system/result.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace smarm::detail {

struct supervisor_access {
  // To a server that is known to be one.
  template <class Ref>
  [[nodiscard]] static Ref ref(any_server server) noexcept {
    return Ref(std::move(server));
  }

  // A request whose answer is a result, or an error on the way.
  template <class S, class Request>
  [[nodiscard]] static auto ask(const any_server& to, Request request)
      -> decltype(std::declval<S&>().handle_call(std::move(request))) {
    auto answer = typed<S>(to).call(std::move(request));
    if (!answer) {
      return answer.error();
    }
    return *std::move(answer);
  }

  // The same where the answer is a start_answer.
  template <class S, class Request>
  [[nodiscard]] static auto ask_to_start(const char* call, const any_server& to, Request request)
      -> decltype(std::declval<S&>().handle_call(std::move(request)).child) {
    auto answer = typed<S>(to).call(std::move(request));
    if (!answer) {
      return answer.error();
    }
    refuse_if(call, answer->refused);
    return std::move(answer->child);
  }

  [[nodiscard]] static boost::system::result<void> shut_down(const any_server& server,
                                                             std::int64_t deadline) {
    const server_core* const core = any_server_access::core(server);
    return core != nullptr ? shut_server_down(*core, exit_kind::shutdown, deadline)
                           : boost::system::result<void>();
  }

  // In the caller's runtime, or in that one.
  template <class Ref, class S, class Options, class... Arguments>
  [[nodiscard]] static boost::system::result<Ref>
  start(const runtime_handle* runtime, Options options, Arguments... arguments) {
    const std::string name = options.name;
    const std::string label = label_of(options);
    const spawn_options actor{.label = label};
    auto started =
        runtime != nullptr
            ? detail::start_in<S>(runtime_access::state(*runtime).lock(), &actor, name,
                                  std::move(options), std::move(arguments)...)
            : detail::start<S>(&actor, name, std::move(options), std::move(arguments)...);
    if (!started) {
      return started.error();
    }
    return Ref(any_server(*std::move(started)));
  }

  template <class S, class Options, class... Arguments>
  [[nodiscard]] static child_start as_child(Options options, Arguments... arguments) {
    std::string name = options.name;
    const std::string label = options.label; // if empty the id in its spec is better than the name
    const spawn_options actor{.label = label};
    return child_start(std::make_shared<const server_launcher<S, Options, Arguments...>>(
        &actor, std::move(name), std::move(options), std::move(arguments)...));
  }

  template <class Ref, class S>
  [[nodiscard]] static boost::system::result<Ref> find(runtime_state& runtime,
                                                       std::string_view name) {
    server_ref<S> found;
    if (const errc error = find_named_server(runtime, name, found); error != errc{}) {
      return make_error_code(error);
    }
    return Ref(any_server(found));
  }
  template <class Ref, class S>
  [[nodiscard]] static boost::system::result<Ref> find_in(const runtime_handle& runtime,
                                                          std::string_view name) {
    const auto state = runtime_access::state(runtime).lock();
    return state != nullptr ? find<Ref, S>(*state, name)
                            : boost::system::result<Ref>(make_error_code(errc::runtime_down));
  }

private:
  template <class Options>
  [[nodiscard]] static std::string label_of(const Options& options) {
    return !options.label.empty() ? options.label
           : !options.name.empty() ? options.name
                                   : "supervisor";
  }
};

} // namespace smarm::detail

#endif
