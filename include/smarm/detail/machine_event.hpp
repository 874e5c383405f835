// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The events of a machine as its inbox and its agenda queue them. An event that is postponed stays in
// the node that it came in.

#ifndef SMARM_DETAIL_MACHINE_EVENT_HPP
#define SMARM_DETAIL_MACHINE_EVENT_HPP

#include <smarm/detail/machine_part.hpp>
#include <smarm/detail/machine_step.hpp>
#include <smarm/detail/pooled.hpp>
#include <smarm/detail/request_node.hpp>
#include <smarm/detail/server_core.hpp>
#include <smarm/detail/server_request.hpp>
#include <smarm/detail/server_seen.hpp>
#include <smarm/error.hpp>
#include <smarm/reply_to.hpp>

#include <boost/system/system_error.hpp>

#include <memory>
#include <new>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace smarm::detail {

// What the machine has told itself stands where what is retried stands, and is itself only from when it
// has been postponed.
struct internal_event : request_node {
  using request_node::request_node;
  bool was_postponed = false;
};
template <sys::event_kind Kind>
using event_node_base =
    std::conditional_t<Kind == sys::event_kind::internal, internal_event, request_node>;

// One that is not answered: a cast, or what the machine itself or the runtime tells it.
template <class M, class Event, sys::event_kind Kind>
struct event_node : event_node_base<Kind> {
  union {
    Event message;
  };

  template <class Value>
  explicit event_node(Value&& value) noexcept(std::is_nothrow_constructible_v<Event, Value&&>)
      : event_node_base<Kind>(&handle), message(std::forward<Value>(value)) {}
  ~event_node() {}

  static void free(event_node& node) noexcept {
    std::destroy_at(std::addressof(node.message));
    pooled<event_node>::destroy(node);
  }

  static request_info handle(request_node* me, server_core* server, request_step what) {
    constexpr request_info info{Kind, false, &typeid(Event)};
    if (SMARM_UNLIKELY(what == request_step::identify)) {
      return info;
    }
    struct freed_unless_kept {
      event_node* node;
      ~freed_unless_kept() {
        if (node != nullptr) {
          free(*node);
        }
      }
    } owner{static_cast<event_node*>(me)};
    if (SMARM_UNLIKELY(what != request_step::handle)) {
      return {};
    }
    M& machine = static_cast<typed_server_core<M>*>(server)->object;
    no_reply none;
    const verdict v = machine_step<M>::handle(machine, owner.node->message, none);
    if (v != verdict::postponed) {
      return {};
    }
    machine_access::get(machine).agenda.postpone(*owner.node);
    if constexpr (Kind == sys::event_kind::internal) {
      owner.node->was_postponed = true;
    }
    owner.node = nullptr;
    return info;
  }
};

template <class M, class Event>
struct machine_call_node
    : basic_call_node<machine_call_node<M, Event>, Event, typename Event::reply> {
  using basic_call_node<machine_call_node, Event, typename Event::reply>::basic_call_node;
  using reply = typename Event::reply;

  static constexpr bool answers_later = true;

  static request_info deliver(server_core& server, machine_call_node& node, Event& event,
                              reply_to<reply>& answer) {
    M& machine = static_cast<typed_server_core<M>&>(server).object;
    if (machine_step<M>::handle(machine, event, answer) != verdict::postponed) {
      return {};
    }
    put_off(machine, node, std::move(event), answer);
    return {sys::event_kind::call, answers_later, &typeid(Event)};
  }

private:
  static void put_off(M& machine, machine_call_node& node, Event&& event, reply_to<reply>& answer) {
    if (reply_access::used(answer)) {
      throw boost::system::system_error(
          make_error_code(errc::already_answered),
          "smarm::gen_statem: a row postpones a call whose reply_to it has used or moved away");
    }
    machine_part& part = machine_access::get(machine);
    ::new (static_cast<void*>(std::addressof(node.request))) Event(std::move(event));
    reply_access::forget(answer);
    part.agenda.postpone(node);
  }
};

// Throws std::bad_alloc, and what making the event throws.
template <class M, sys::event_kind Kind, class Value>
[[nodiscard]] request_node& make_event(Value&& value) {
  auto* const node =
      make_request<event_node<M, std::decay_t<Value>, Kind>>(std::forward<Value>(value));
  if (node == nullptr) {
    throw std::bad_alloc();
  }
  return *node;
}

// Handles an event that has no node, and gets one if it is postponed.
template <class M, sys::event_kind Kind, class Event>
void handle_event(server_core& core, Event& event) {
  constexpr request_info info{Kind, false, &typeid(Event)};
  handle_seen(core, info, [&]() -> request_info {
    M& machine = static_cast<typed_server_core<M>&>(core).object;
    no_reply none;
    if (machine_step<M>::handle(machine, event, none) != verdict::postponed) {
      return {};
    }
    machine_access::get(machine).agenda.postpone(make_event<M, Kind>(std::move(event)));
    return info;
  });
}

} // namespace smarm::detail

#endif
