// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A process group in the runtime of a handle, for plain threads and for actors of other runtimes:
//
//     (void)pool.in(rt.handle()).dispatch(job{...});

#ifndef SMARM_GROUP_IN_RUNTIME_HPP
#define SMARM_GROUP_IN_RUNTIME_HPP

#include <smarm/error.hpp>
#include <smarm/process_group.hpp>
#include <smarm/runtime.hpp>

#include <memory>

namespace smarm {

// As process_group's members of the same names. When the runtime is gone there are no members:
// joins and dispatches fail with errc::runtime_down, and a monitor is closed from the beginning.
// Cheap to copy; keeps no runtime alive.
template <class A>
class group_in_runtime {
public:
  boost::system::result<void> join(typed_pid<A> who) const {
    const auto state = runtime_.lock();
    if (state == nullptr) {
      return make_error_code(errc::runtime_down);
    }
    return calls::join(*state, who, group_.key());
  }
  bool leave(typed_pid<A> who) const {
    const auto state = runtime_.lock();
    return state != nullptr && detail::leave_group(*state, who, group_.key());
  }
  [[nodiscard]] std::vector<typed_pid<A>> members() const {
    const auto state = runtime_.lock();
    return state != nullptr ? calls::typed(detail::groups_of(*state)->members(group_.key()))
                            : std::vector<typed_pid<A>>();
  }
  [[nodiscard]] std::size_t size() const {
    const auto state = runtime_.lock();
    return state != nullptr ? detail::groups_of(*state)->count(group_.key()) : 0;
  }
  [[nodiscard]] std::optional<typed_pid<A>>
  pick(member_choice how = member_choice::round_robin) const {
    const auto state = runtime_.lock();
    return state != nullptr ? calls::pick(*state, group_.key(), how) : std::nullopt;
  }
  // A plain thread is blocked where an actor would be suspended.
  template <class Value>
  boost::system::result<typed_pid<A>>
  dispatch(Value&& value, member_choice how = member_choice::round_robin) const {
    return dispatch_here<detail::waits::yes>(std::forward<Value>(value), how);
  }
  template <class Value>
  boost::system::result<typed_pid<A>>
  try_dispatch(Value&& value, member_choice how = member_choice::round_robin) const {
    return dispatch_here<detail::waits::no>(std::forward<Value>(value), how);
  }
  template <class Value>
  std::size_t broadcast(const Value& value) const {
    const auto state = runtime_.lock();
    return state != nullptr ? calls::broadcast(*state, group_.key(), value) : 0;
  }
  [[nodiscard]] std::pair<group_monitor<A>, std::vector<typed_pid<A>>> monitor() const {
    if (const auto state = runtime_.lock()) {
      return calls::monitor(*state, group_.key());
    }
    return {};
  }

private:
  friend class process_group<A>;
  using calls = detail::group_calls<A>;

  group_in_runtime(const process_group<A>& group, const runtime_handle& runtime) noexcept
      : group_(group), runtime_(detail::runtime_access::state(runtime)) {}

  template <detail::waits Wait, class Value>
  boost::system::result<typed_pid<A>> dispatch_here(Value&& value, member_choice how) const {
    const auto state = runtime_.lock();
    if (state == nullptr) {
      return make_error_code(errc::runtime_down);
    }
    return calls::template dispatch<Wait>(*state, group_.key(), std::forward<Value>(value), how);
  }

  process_group<A> group_;
  std::weak_ptr<detail::runtime_state> runtime_;
};

template <class A>
group_in_runtime<A> process_group<A>::in(const runtime_handle& runtime) const {
  return group_in_runtime<A>(*this, runtime);
}

} // namespace smarm

#endif
