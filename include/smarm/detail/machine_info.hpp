// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A channel whose messages are events of a machine.

#ifndef SMARM_DETAIL_MACHINE_INFO_HPP
#define SMARM_DETAIL_MACHINE_INFO_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/machine_event.hpp>
#include <smarm/detail/select_arm.hpp>
#include <smarm/detail/server_core.hpp>
#include <smarm/detail/server_extras.hpp>
#include <smarm/error.hpp>
#include <smarm/sys_event.hpp>

#include <utility>

namespace smarm::detail {

template <class M, class Event>
struct machine_info_arm final : server_arm {
  explicit machine_info_arm(receiver<Event> r) : from(std::move(r)) {}
  select_arm arm() noexcept override { return arm_of(from); }
  void dispatch(server_core& core) override {
    auto message = from.try_recv();
    if (message) {
      handle_event<M, sys::event_kind::info>(core, *message);
    } else {
      over = message.error() == errc::closed;
    }
  }
  receiver<Event> from;
};

} // namespace smarm::detail

#endif
