// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/supervisor.hpp>

#include "supervisor_access.hpp"
#include "supervisor_checks.hpp"
#include "supervisor_server.hpp"

#include <smarm/runtime.hpp>
#include <smarm/spawn_options.hpp>
#include <smarm/start_server.hpp>

#include <memory>
#include <string>
#include <utility>

namespace smarm {

using boost::system::result;
using detail::supervisor_access;
using detail::supervisor_server;

result<pid> supervisor_ref::start_child(child_spec spec) const {
  return supervisor_access::ask_to_start<supervisor_server>(
      "smarm::supervisor_ref::start_child", server_,
      supervisor_server::start_child{std::move(spec)});
}

result<void> supervisor_ref::terminate_child(std::string_view id) const {
  return supervisor_access::ask<supervisor_server>(
      server_, supervisor_server::terminate_child{std::string(id)});
}

result<pid> supervisor_ref::restart_child(std::string_view id) const {
  return supervisor_access::ask<supervisor_server>(
      server_, supervisor_server::restart_child{std::string(id)});
}

result<void> supervisor_ref::delete_child(std::string_view id) const {
  return supervisor_access::ask<supervisor_server>(
      server_, supervisor_server::delete_child{std::string(id)});
}

result<std::vector<child_info>> supervisor_ref::which_children() const {
  return detail::typed<supervisor_server>(server_).call(supervisor_server::which_children{});
}

result<child_count> supervisor_ref::count_children() const {
  return detail::typed<supervisor_server>(server_).call(supervisor_server::count_children{});
}

result<child_spec> supervisor_ref::get_childspec(std::string_view id) const {
  return supervisor_access::ask<supervisor_server>(
      server_, supervisor_server::get_childspec{std::string(id)});
}

result<any_server> detail::find_child(const any_server& supervisor, std::string_view id,
                                      type_key server_class) {
  return supervisor_access::ask<supervisor_server>(
      supervisor, supervisor_server::find_server{std::string(id), server_class});
}

result<void> supervisor_ref::shutdown_before(std::int64_t deadline) const {
  return supervisor_access::shut_down(server_, deadline);
}

// ---- starting

result<supervisor_ref> start_supervisor(supervisor_options options,
                                        std::vector<child_spec> children) {
  detail::refuse_if("smarm::start_supervisor", detail::tree_trouble(options, children));
  return supervisor_access::start<supervisor_ref, supervisor_server>(
      nullptr, std::move(options), std::move(children));
}

result<supervisor_ref> start_supervisor(const runtime_handle& runtime, supervisor_options options,
                                        std::vector<child_spec> children) {
  detail::refuse_if("smarm::start_supervisor", detail::tree_trouble(options, children));
  return supervisor_access::start<supervisor_ref, supervisor_server>(
      &runtime, std::move(options), std::move(children));
}

child_start supervision_tree(supervisor_options options, std::vector<child_spec> children) {
  detail::refuse_if("smarm::supervision_tree", detail::tree_trouble(options, children));
  return supervisor_access::as_child<supervisor_server>(std::move(options), std::move(children));
}

result<supervisor_ref> find_supervisor(std::string_view name) {
  return supervisor_access::find<supervisor_ref, supervisor_server>(
      detail::runtime_of_caller("smarm::find_supervisor"), name);
}

result<supervisor_ref> find_supervisor(const runtime_handle& runtime, std::string_view name) {
  return supervisor_access::find_in<supervisor_ref, supervisor_server>(runtime, name);
}

void check_child_specs(const supervisor_options& options, const std::vector<child_spec>& children) {
  detail::refuse_if("smarm::check_child_specs", detail::tree_trouble(options, children));
}

} // namespace smarm
