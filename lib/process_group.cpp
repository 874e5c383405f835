// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

#include <smarm/process_group.hpp>

#include <smarm/detail/group_calls.hpp>
#include <smarm/detail/group_table.hpp>
#include <smarm/detail/runtime_state.hpp>
#include <smarm/group_scope.hpp>
#include <smarm/runtime.hpp>

namespace smarm {
namespace detail {

const std::shared_ptr<group_table>& groups_of(const runtime_state& runtime) noexcept {
  return runtime.groups;
}

errc join_group(runtime_state& runtime, pid who, const group_key& key,
                std::unique_ptr<group_member> fresh) noexcept {
  slot* s = runtime.slots.find(who.index());
  return s != nullptr ? runtime.groups->join(*s, who, key, std::move(fresh)) : errc::no_process;
}

bool leave_group(runtime_state& runtime, pid who, const group_key& key) noexcept {
  slot* s = runtime.slots.find(who.index());
  return s != nullptr && group_table::leave(*s, who, key);
}

} // namespace detail

std::vector<std::string> group_scope::which_groups() const {
  return detail::runtime_of_caller("smarm::group_scope::which_groups").groups->names(text_);
}

std::vector<std::string> group_scope::which_groups(const runtime_handle& in) const {
  const auto state = detail::runtime_access::state(in).lock();
  return state != nullptr ? state->groups->names(text_) : std::vector<std::string>();
}

} // namespace smarm
