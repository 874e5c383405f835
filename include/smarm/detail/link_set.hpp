// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One actor's links. A link is two halves, one with each of the two actors, under each one's own lock;
// no two of these locks are ever held together. A signal passes from one to the other only if the
// first had its half when it ended and the other one still has its own, which is taken away then. So a
// half that was left alone, by a link that met an unlink, means: not linked.
//
// With the half is the message that its actor receives if it traps exits: an actor may end for want of
// memory, and those who are linked with it are told all the same.

#ifndef SMARM_DETAIL_LINK_SET_HPP
#define SMARM_DETAIL_LINK_SET_HPP

#include <smarm/detail/message_node.hpp>
#include <smarm/exit_signal.hpp>
#include <smarm/pid.hpp>

#include <boost/intrusive/set.hpp>

#include <memory>
#include <utility>

namespace smarm::detail {

struct link_half : boost::intrusive::set_base_hook<> {
  using node = message_node<exit_signal>;

  // Throws std::bad_alloc.
  [[nodiscard]] static std::unique_ptr<link_half> make(pid other);
  link_half(pid other, node& prepared) noexcept : peer(other), message(&prepared) {}
  link_half(const link_half&) = delete;
  link_half& operator=(const link_half&) = delete;
  ~link_half() {
    if (message != nullptr) {
      node::destroy(message);
    }
  }

  friend bool operator<(const link_half& a, const link_half& b) noexcept { return a.peer < b.peer; }

  pid peer; // does not change while the half is in a set
  node* message;
};

struct peer_of_link {
  using type = pid;
  const pid& operator()(const link_half& half) const noexcept { return half.peer; }
};

// By peer: an actor may have a great many.
using link_set = boost::intrusive::set<link_half, boost::intrusive::key_of_value<peer_of_link>,
                                       boost::intrusive::constant_time_size<true>>;

} // namespace smarm::detail

#endif
