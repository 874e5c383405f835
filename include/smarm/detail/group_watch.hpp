// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One who monitors a group. What has changed is queued for him under the lock of the group, so that
// the order is that of the changes; he is woken when that is free again.

#ifndef SMARM_DETAIL_GROUP_WATCH_HPP
#define SMARM_DETAIL_GROUP_WATCH_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/channel_core.hpp>
#include <smarm/detail/message_node.hpp>
#include <smarm/detail/wake.hpp>
#include <smarm/group_event.hpp>
#include <smarm/pid.hpp>

#include <boost/intrusive/list.hpp>

#include <utility>

namespace smarm::detail {

struct group;

struct in_group_tag;
struct to_be_woken_tag;

struct group_watch : boost::intrusive::list_base_hook<boost::intrusive::tag<in_group_tag>>,
                     boost::intrusive::list_base_hook<boost::intrusive::tag<to_be_woken_tag>> {
  group_watch() noexcept = default;
  group_watch(const group_watch&) = delete;
  group_watch& operator=(const group_watch&) = delete;
  virtual ~group_watch() = default;

  // Both under the lock of the group. True: he waits, and `waiter` is to be woken. The message that
  // there is no memory for closes the channel: he finds that he has missed something.
  virtual bool tell(group_change what, pid who, registration& whom) noexcept = 0;
  virtual bool close(registration& whom) noexcept = 0;

  group* in = nullptr;
  // Under the lock. An older one that was not used yet is of a wait that has ended.
  registration waiter;
};

using watch_list =
    boost::intrusive::list<group_watch,
                           boost::intrusive::base_hook<boost::intrusive::list_base_hook<
                               boost::intrusive::tag<in_group_tag>>>,
                           boost::intrusive::constant_time_size<false>>;
using wake_list =
    boost::intrusive::list<group_watch,
                           boost::intrusive::base_hook<boost::intrusive::list_base_hook<
                               boost::intrusive::tag<to_be_woken_tag>>>,
                           boost::intrusive::constant_time_size<false>>;

template <class A>
struct typed_group_watch final : group_watch {
  explicit typed_group_watch(sender<group_event<A>> there) noexcept : to(std::move(there)) {}

  bool tell(group_change what, pid who, registration& whom) noexcept override {
    using node = message_node<group_event<A>>;
    node* message = node::create_with(group_event<A>{what, typed_pid_access::make<A>(who)});
    if (message == nullptr) {
      return close(whom);
    }
    switch (channel_access::core(to)->inbox.push(*message, whom)) {
    case push_result::pushed: return false;
    case push_result::pushed_and_wake: return true;
    default: node::destroy(message); return false; // nobody listens any more
    }
  }
  bool close(registration& whom) noexcept override {
    return channel_access::core(to)->inbox.close_by_sender(whom);
  }

  const sender<group_event<A>> to;
};

} // namespace smarm::detail

#endif
