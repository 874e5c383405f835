// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Many actors under one name, all of one type: a pool of workers, the subscribers to a topic. A
// group is a constant that the parts of a program share; it is not made or deleted, it has members
// or it has none.
//
//     struct worker { using message = job; void run(smarm::receiver<job>&); };
//     inline constexpr smarm::process_group<worker> pool("pool");
//
//     (void)pool.join(w.id());              // or pool.join() in the worker
//     (void)pool.dispatch(job{...});        // one of them gets it
//     pool.broadcast(tick{});               // every one gets a copy
//
// A member leaves by itself when it ends, before anybody can hear of its end; being a member keeps
// no actor alive. The type is part of the group: of two types of actors, two groups have the same
// name.
//
// A name need not be a constant: process_group<subscriber>(topic) is the group of whatever the text says
// at that moment, and is made and thrown away where it is used. The runtime has a copy of the name while
// the group has members; which groups of a scope have any says group_scope::which_groups.
//
// The members of process_group work from actors and in scheduler context, in the caller's runtime;
// on a plain thread they throw boost::system::system_error with errc::not_in_actor. There,
// pool.in(handle) gives the same calls for the runtime of a handle.

#ifndef SMARM_PROCESS_GROUP_HPP
#define SMARM_PROCESS_GROUP_HPP

#include <smarm/detail/group_calls.hpp>
#include <smarm/detail/group_key.hpp>
#include <smarm/group_monitor.hpp>
#include <smarm/group_scope.hpp>
#include <smarm/member_choice.hpp>
#include <smarm/this_actor.hpp>
#include <smarm/typed_pid.hpp>

#include <boost/system/result.hpp>

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace smarm {

class runtime_handle;
template <class A>
class group_in_runtime;

// A need not be complete where the constant is defined.
template <class A>
class process_group {
public:
  // The text is not copied: a literal, or something that lives as long as this object. Its members keep
  // no reference to it.
  explicit constexpr process_group(std::string_view name, group_scope scope = {}) noexcept
      : name_(name), scope_(scope), hash_(detail::hash_of_group(scope.text(), name)) {}

  [[nodiscard]] constexpr std::string_view name() const noexcept { return name_; }
  [[nodiscard]] constexpr group_scope scope() const noexcept { return scope_; }

  // The same group in that runtime, for any thread. See group_in_runtime.hpp.
  [[nodiscard]] group_in_runtime<A> in(const runtime_handle& runtime) const;

  // Makes an actor a member, anybody's doing. Joins are counted: who has joined twice must leave
  // twice, but is one member, not two. Errors: no_process (it has ended), no_channel (it has
  // published no inbox as an A, see publish_as), out_of_memory. Neither suspends nor is a stop
  // point. Constant time, amortised, and linear in the number of groups that it is in already.
  boost::system::result<void> join(typed_pid<A> who) const {
    return calls::join(here("smarm::process_group::join"), who, key());
  }
  // The calling actor.
  boost::system::result<void> join() const {
    detail::runtime_state& runtime = here("smarm::process_group::join");
    return calls::join(runtime, this_actor::self(), key());
  }

  // Takes one join back; after the last the actor is no member any more. What was sent to it before
  // stays in its inbox. False: it was no member. Otherwise as join.
  bool leave(typed_pid<A> who) const {
    return detail::leave_group(here("smarm::process_group::leave"), who, key());
  }
  bool leave() const {
    detail::runtime_state& runtime = here("smarm::process_group::leave");
    return detail::leave_group(runtime, this_actor::self(), key());
  }

  // Who is a member at this moment, in the order in which they joined. Throws std::bad_alloc.
  // Linear.
  [[nodiscard]] std::vector<typed_pid<A>> members() const {
    return calls::typed(detail::groups_of(here("smarm::process_group::members"))->members(key()));
  }
  // How many they are. Constant time.
  [[nodiscard]] std::size_t size() const {
    return detail::groups_of(here("smarm::process_group::size"))->count(key());
  }

  // One member; none if there is none. Constant time.
  [[nodiscard]] std::optional<typed_pid<A>>
  pick(member_choice how = member_choice::round_robin) const {
    return calls::pick(here("smarm::process_group::pick"), key(), how);
  }

  // Sends to one member, and returns to whom; if that one has given up its inbox, or there is no
  // room in it, to the next one, until each was tried. Waits, as a sender does, where the chosen
  // member's inbox is bounded, full, and blocks. Errors: no_member (nobody is there), closed or
  // queue_full (nobody takes it), out_of_memory, would_block_scheduler. A message of the very type
  // is then untouched. Suspends and is a stop point only if it waits. Constant time if the first
  // takes it.
  template <class Value>
  boost::system::result<typed_pid<A>>
  dispatch(Value&& value, member_choice how = member_choice::round_robin) const {
    return calls::template dispatch<detail::waits::yes>(here("smarm::process_group::dispatch"),
                                                        key(), std::forward<Value>(value), how);
  }
  // The same without waiting: to the first that has room. Neither suspends nor is a stop point.
  template <class Value>
  boost::system::result<typed_pid<A>>
  try_dispatch(Value&& value, member_choice how = member_choice::round_robin) const {
    return calls::template dispatch<detail::waits::no>(here("smarm::process_group::try_dispatch"),
                                                       key(), std::forward<Value>(value), how);
  }

  // Sends a copy to every member, and returns how many took it. Who joins meanwhile gets none, who
  // leaves meanwhile may, and everybody else exactly one. Waits for nobody: an inbox that is full
  // goes without. What copying throws leaves it half done. Neither suspends nor is a stop point,
  // unless copying does. Linear.
  template <class Value>
  std::size_t broadcast(const Value& value) const {
    return calls::broadcast(here("smarm::process_group::broadcast"), key(), value);
  }

  // Who is a member at this moment, and what hears of each change from then on. Throws
  // std::bad_alloc. Linear. Neither suspends nor is a stop point.
  [[nodiscard]] std::pair<group_monitor<A>, std::vector<typed_pid<A>>> monitor() const {
    return calls::monitor(here("smarm::process_group::monitor"), key());
  }

  friend constexpr bool operator==(const process_group& a, const process_group& b) noexcept {
    return a.name_ == b.name_ && a.scope_ == b.scope_;
  }

private:
  friend class group_in_runtime<A>;
  using calls = detail::group_calls<A>;

  [[nodiscard]] static detail::runtime_state& here(const char* call) {
    return detail::runtime_of_caller(call);
  }
  [[nodiscard]] detail::group_key key() const noexcept {
    return {scope_.text(), name_, detail::key_of<A>(), hash_};
  }

  std::string_view name_;
  group_scope scope_;
  std::uint64_t hash_;
};

} // namespace smarm

#include <smarm/group_in_runtime.hpp>

#endif
