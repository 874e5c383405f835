// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One monitor, as its target keeps it. Everything that the message needs is there from the beginning:
// an actor may end for want of memory, and those who wait for its end are told all the same.

#ifndef SMARM_DETAIL_MONITOR_ENTRY_HPP
#define SMARM_DETAIL_MONITOR_ENTRY_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/message_node.hpp>
#include <smarm/down.hpp>

#include <boost/intrusive/list.hpp>

#include <atomic>
#include <cstdint>
#include <utility>

namespace smarm::detail {

struct slot;

struct monitor_entry : boost::intrusive::list_base_hook<> {
  using node = message_node<down>;

  monitor_entry(sender<down> there, node& prepared) noexcept
      : to(std::move(there)), message(&prepared) {}
  monitor_entry(const monitor_entry&) = delete;
  monitor_entry& operator=(const monitor_entry&) = delete;
  ~monitor_entry() {
    if (message != nullptr) {
      node::destroy(message);
    }
  }

  // By whoever took the entry from the target, under no lock.
  void tell(const exit_reason& reason) noexcept;

  // One of the two shares: the monitor_ref's and, from when it is linked until it has told, the
  // target's.
  void drop_share() noexcept {
    if (shares.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      delete this;
    }
  }

  sender<down> to;
  node* message;
  slot* where = nullptr; // the target's; set before it is linked
  pid target;
  // Lowered by each of the two (acq_rel): the second sees what the first did.
  std::atomic<std::uint32_t> shares{1};
};

using monitor_list =
    boost::intrusive::list<monitor_entry, boost::intrusive::constant_time_size<true>>;

} // namespace smarm::detail

#endif
