// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What calls a server's handlers for anything but calls and casts.

#ifndef SMARM_DETAIL_SERVER_ARMS_HPP
#define SMARM_DETAIL_SERVER_ARMS_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/receive_point.hpp>
#include <smarm/detail/select_arm.hpp>
#include <smarm/detail/server_core.hpp>
#include <smarm/detail/server_extras.hpp>
#include <smarm/detail/server_seen.hpp>
#include <smarm/error.hpp>
#include <smarm/pending_reply.hpp>
#include <smarm/sys_event.hpp>

#include <cstdint>
#include <typeinfo>
#include <utility>

namespace smarm::detail {

template <class S>
[[nodiscard]] S& object_of(server_core& core) noexcept {
  return static_cast<typed_server_core<S>&>(core).object;
}

template <class S, class Payload>
struct timer_task final : server_task {
  explicit timer_task(Payload p) : payload(std::move(p)) {}
  void run(server_core& core) override {
    handle_seen(core, {sys::event_kind::timer, false, &typeid(Payload)},
                [&] { object_of<S>(core).handle_timer(std::move(payload)); });
  }
  Payload payload;
};

template <class S, class Payload>
struct tick_task final : server_task {
  explicit tick_task(Payload p) : payload(std::move(p)) {}
  void run(server_core& core) override {
    handle_seen(core, {sys::event_kind::timer, false, &typeid(Payload)},
                [&] { object_of<S>(core).handle_timer(Payload(payload)); });
  }
  const Payload payload;
};

template <class S, class Work>
struct continue_task final : server_task {
  explicit continue_task(Work w) : work(std::move(w)) {}
  void run(server_core& core) override {
    handle_seen(core, {sys::event_kind::continuation, false, &typeid(Work)},
                [&] { object_of<S>(core).handle_continue(std::move(work)); });
  }
  Work work;
};

template <class S, class M>
struct info_arm final : server_arm {
  explicit info_arm(receiver<M> r) : from(std::move(r)) {}
  select_arm arm() noexcept override { return arm_of(from); }
  void dispatch(server_core& core) override {
    auto message = from.try_recv();
    if (message) {
      handle_seen(core, {sys::event_kind::info, false, &typeid(M)},
                  [&] { object_of<S>(core).handle_info(*std::move(message)); });
    } else {
      over = message.error() == errc::closed;
    }
  }
  receiver<M> from;
};

template <class S, class R, class Tag>
struct expected_reply final : server_arm {
  expected_reply(pending_reply<R> a, Tag t, std::int64_t until)
      : answer(std::move(a)), tag(std::move(t)) {
    deadline = until;
  }
  select_arm arm() noexcept override { return arm_of(answer); }
  void dispatch(server_core& core) override {
    over = true;
    handle_seen(core, {sys::event_kind::reply, false, &typeid(Tag)}, [&] {
      object_of<S>(core).handle_reply(
          std::move(tag),
          answer.ready() ? answer.try_recv() : not_received<R>(make_error_code(errc::timed_out)));
    });
  }
  pending_reply<R> answer;
  Tag tag;
};

} // namespace smarm::detail

#endif
