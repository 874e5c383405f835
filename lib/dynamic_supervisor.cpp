// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/dynamic_supervisor.hpp>

#include "dynamic_supervisor_server.hpp"
#include "supervisor_access.hpp"
#include "supervisor_checks.hpp"

#include <smarm/runtime.hpp>

#include <utility>

namespace smarm {

using boost::system::result;
using detail::supervisor_access;
using server_type = detail::dynamic_supervisor_server;

namespace {

void check(const char* call, const dynamic_supervisor_options& options) {
  detail::refuse_if(call, detail::options_trouble({.intensity = options.intensity,
                                                   .period = options.period,
                                                   .backoff = options.backoff}));
}

} // namespace

result<pid> dynamic_supervisor_ref::start_child(child_spec spec) const {
  auto child = supervisor_access::ask_to_start<server_type>(
      "smarm::dynamic_supervisor_ref::start_child", server_,
      server_type::start_child{std::move(spec)});
  return child ? result<pid>(child->actor) : child.error();
}

result<any_server> dynamic_supervisor_ref::start_server_child(child_spec spec) const {
  auto child = supervisor_access::ask_to_start<server_type>(
      "smarm::dynamic_supervisor_ref::start_child", server_,
      server_type::start_child{std::move(spec)});
  if (!child) {
    return child.error();
  }
  return child->server ? result<any_server>(std::move(child->server))
                       : make_error_code(errc::start_ignored);
}

result<void> dynamic_supervisor_ref::terminate_child(pid child) const {
  return supervisor_access::ask<server_type>(server_, server_type::terminate_child{child});
}

result<any_server> dynamic_supervisor_ref::find_server_child(pid child,
                                                             detail::type_key server_class) const {
  return supervisor_access::ask<server_type>(server_,
                                             server_type::find_server{child, server_class});
}

result<std::vector<child_info>> dynamic_supervisor_ref::which_children() const {
  return detail::typed<server_type>(server_).call(server_type::which_children{});
}

result<child_count> dynamic_supervisor_ref::count_children() const {
  return detail::typed<server_type>(server_).call(server_type::count_children{});
}

result<void> dynamic_supervisor_ref::shutdown_before(std::int64_t deadline) const {
  return supervisor_access::shut_down(server_, deadline);
}

result<dynamic_supervisor_ref> start_dynamic_supervisor(dynamic_supervisor_options options) {
  check("smarm::start_dynamic_supervisor", options);
  return supervisor_access::start<dynamic_supervisor_ref, server_type>(nullptr, std::move(options));
}

result<dynamic_supervisor_ref> start_dynamic_supervisor(const runtime_handle& runtime,
                                                        dynamic_supervisor_options options) {
  check("smarm::start_dynamic_supervisor", options);
  return supervisor_access::start<dynamic_supervisor_ref, server_type>(&runtime,
                                                                       std::move(options));
}

child_start dynamic_supervisor(dynamic_supervisor_options options) {
  check("smarm::dynamic_supervisor", options);
  return supervisor_access::as_child<server_type>(std::move(options));
}

result<dynamic_supervisor_ref> find_dynamic_supervisor(std::string_view name) {
  return supervisor_access::find<dynamic_supervisor_ref, server_type>(
      detail::runtime_of_caller("smarm::find_dynamic_supervisor"), name);
}

result<dynamic_supervisor_ref> find_dynamic_supervisor(const runtime_handle& runtime,
                                                       std::string_view name) {
  return supervisor_access::find_in<dynamic_supervisor_ref, server_type>(runtime, name);
}

} // namespace smarm
