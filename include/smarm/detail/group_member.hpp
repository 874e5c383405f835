// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One actor's membership in one group, owned by the actor's record. It has copies of the sending
// ends of the actor's inboxes, so that who sends to the group goes to no member's record. They keep
// nothing open that the record does not: they go with the actor's inboxes, before its end is heard
// of.

#ifndef SMARM_DETAIL_GROUP_MEMBER_HPP
#define SMARM_DETAIL_GROUP_MEMBER_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/published.hpp>
#include <smarm/pid.hpp>

#include <boost/intrusive/list.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace smarm::detail {

struct group;

struct group_member : boost::intrusive::list_base_hook<> {
  group_member() noexcept = default;
  group_member(const group_member&) = delete;
  group_member& operator=(const group_member&) = delete;
  virtual ~group_member() = default;

  // Takes a copy of that sending end. False: the group's messages are others. What it had before
  // must be the last one for nobody: no channel may close under the locks.
  virtual bool take_inbox(const published_inbox& inbox) noexcept = 0;

  pid who;
  group* in = nullptr;
  std::size_t place = 0;   // its roster's
  std::uint64_t joins = 1; // under the record lock, as its place in the record's list is
};

using membership_list =
    boost::intrusive::list<group_member, boost::intrusive::constant_time_size<false>>;

template <class... Ms>
struct typed_group_member final : group_member {
  std::tuple<sender<Ms>...> to; // under the lock of the group, once it is in there

  bool take_inbox(const published_inbox& inbox) noexcept override {
    return (take_if<Ms>(inbox) || ...);
  }

  // For those who look for a member to send to: into the index-th of some senders.
  template <class M>
  static void copy_inbox(const group_member& from, void* senders, std::size_t index) noexcept {
    static_cast<sender<M>*>(senders)[index] =
        std::get<sender<M>>(static_cast<const typed_group_member&>(from).to);
  }

private:
  template <class M>
  bool take_if(const published_inbox& inbox) noexcept {
    if (inbox.message != key_of<M>()) {
      return false;
    }
    std::get<sender<M>>(to) = static_cast<const published_sender<M>&>(inbox).to;
    return true;
  }
};

} // namespace smarm::detail

#endif
