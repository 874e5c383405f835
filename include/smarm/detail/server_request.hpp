// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The requests of a server: casts, and calls, whose node carries the answer, too.

#ifndef SMARM_DETAIL_SERVER_REQUEST_HPP
#define SMARM_DETAIL_SERVER_REQUEST_HPP

#include <smarm/detail/deadline.hpp>
#include <smarm/detail/pooled.hpp>
#include <smarm/detail/reply_cell.hpp>
#include <smarm/detail/request_node.hpp>
#include <smarm/detail/server_callbacks.hpp>
#include <smarm/detail/server_core.hpp>
#include <smarm/detail/timers.hpp>
#include <smarm/reply_to.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace smarm::detail {

// Destroys what a node carried and the handler has a copy of, at the end of the scope.
template <class T>
struct destroyed_after {
  T& object;
  ~destroyed_after() { std::destroy_at(std::addressof(object)); }
};

// Made by make(): null is no memory, and the value is untouched. Throws what its construction throws.
template <class Node, class Value, class... Rest>
[[nodiscard]] SMARM_HOT_INLINE Node* make_request(Value&& value, Rest... rest) {
  void* const memory = pooled<Node>::allocate();
  if (SMARM_UNLIKELY(memory == nullptr)) {
    return nullptr;
  }
  if constexpr (std::is_nothrow_constructible_v<Node, Value&&, Rest...>) {
    return ::new (memory) Node(std::forward<Value>(value), rest...);
  } else {
    try {
      return ::new (memory) Node(std::forward<Value>(value), rest...);
    } catch (...) {
      pooled<Node>::release(memory);
      throw;
    }
  }
}

template <class S, class M>
struct cast_node : request_node {
  union {
    M message;
  };

  template <class Value>
  explicit cast_node(Value&& value) noexcept(std::is_nothrow_constructible_v<M, Value&&>)
      : request_node(&handle), message(std::forward<Value>(value)) {}
  ~cast_node() {}

  static void free(cast_node& node) noexcept {
    std::destroy_at(std::addressof(node.message));
    pooled<cast_node>::destroy(node);
  }

  static request_info handle(request_node* me, server_core* server, request_step what) {
    if (SMARM_UNLIKELY(what == request_step::identify)) {
      return {sys::event_kind::cast, false, &typeid(M)};
    }
    struct freed {
      cast_node& node;
      ~freed() { free(node); }
    };
    auto& node = static_cast<cast_node&>(*me);
    if (SMARM_UNLIKELY(what != request_step::handle)) {
      free(node);
      return {};
    }
    M message = [&] {
      const freed after{node};
      return M(std::move(node.message));
    }();
    static_cast<typed_server_core<S>*>(server)->object.handle_cast(std::move(message));
    return {};
  }
};

// A call on its way: it carries the request and, afterwards, the answer. Derived has
//   static constexpr bool answers_later             what a trace says of it
//   static request_info deliver(server_core&, Derived& node, Request&, reply_to<Reply>&)
// of which the latter gives the answer, or sees to it that somebody does.
template <class Derived, class Request, class Reply>
struct basic_call_node : request_node, typed_reply<Reply> {
  using reply = Reply;
  using cell = typed_reply<Reply>;

  const std::int64_t deadline; // nanoseconds of the monotonic clock, or no_deadline
  union {
    Request request;
  };

  template <class Value>
  explicit basic_call_node(Value&& from, std::int64_t until) noexcept(
      std::is_nothrow_constructible_v<Request, Value&&>)
      : request_node(&handle), cell(&drop_node), deadline(until),
        request(std::forward<Value>(from)) {}
  ~basic_call_node() {}

  // One that was never sent.
  static void free(Derived& node) noexcept {
    std::destroy_at(std::addressof(node.request));
    pooled<Derived>::destroy(node);
  }

  static void drop_node(reply_cell& c) noexcept {
    auto& node = static_cast<Derived&>(static_cast<cell&>(c));
    node.destroy_value();
    pooled<Derived>::destroy(node);
  }

  static request_info handle(request_node* me, server_core* server, request_step what) {
    if (SMARM_UNLIKELY(what == request_step::identify)) {
      return {sys::event_kind::call, Derived::answers_later, &typeid(Request)};
    }
    auto& node = static_cast<Derived&>(*me);
    // Whatever happens from here on, the call is answered, unless it is delivered again later.
    reply_to<Reply> answer = reply_access::make<Reply>(node);
    if (SMARM_UNLIKELY(what != request_step::handle)) {
      std::destroy_at(std::addressof(node.request));
      reply_access::fail(answer, what == request_step::drop ? errc::dropped : errc::server_down);
      return {};
    }
    if (SMARM_UNLIKELY(node.deadline != no_deadline) && monotonic_now() >= node.deadline) {
      std::destroy_at(std::addressof(node.request));
      server->count_expired();
      reply_access::fail(answer, errc::expired);
      return {};
    }
    // Out of the node first: the answer may be given, and the node be gone, while the handler still
    // looks at its request.
    Request taken = [&] {
      const destroyed_after<Request> after{node.request};
      return Request(std::move(node.request));
    }();
    return Derived::deliver(*server, node, taken, answer);
  }
};

template <class Derived, class S, class Request>
struct gen_server_call_node : basic_call_node<Derived, Request, reply_of<S, Request>> {
  using basic_call_node<Derived, Request, reply_of<S, Request>>::basic_call_node;
  using reply = reply_of<S, Request>;

  static constexpr bool answers_later = !answers_at_once<S, Request>;

  static SMARM_ALWAYS_INLINE request_info deliver(server_core& server, Derived&, Request& request,
                                                  reply_to<reply>& answer) {
    S& state = static_cast<typed_server_core<S>&>(server).object;
    if constexpr (answers_later) {
      state.handle_call(std::move(request), std::move(answer));
    } else if constexpr (std::is_void_v<reply>) {
      state.handle_call(std::move(request));
      answer.reply();
    } else {
      reply_access::construct(
          answer, [&]() -> decltype(auto) { return state.handle_call(std::move(request)); });
      reply_access::succeed(answer);
    }
    return {};
  }
};

template <class S, class Request>
struct call_node final : gen_server_call_node<call_node<S, Request>, S, Request> {
  using gen_server_call_node<call_node, S, Request>::gen_server_call_node;
};

// What a server is told, and in what it is carried: here a gen_server, see machine_duties.hpp.
template <class S>
struct server_protocol {
  template <class Request>
  using reply = reply_of<S, Request>;
  template <class Request>
  static constexpr bool takes_call = answers_at_once<S, Request> || answers_later<S, Request>;
  template <class M>
  static constexpr bool takes_cast = detail::takes_cast<S, M>;
  template <class Request>
  using call_node = detail::call_node<S, Request>;
  template <class M>
  using cast_node = detail::cast_node<S, M>;

  template <class Request>
  static constexpr void check_call() {
    detail::check_call<S, Request>();
  }
  template <class M>
  static constexpr void check_cast() {
    detail::check_cast<S, M>();
  }
};

// The same, looked up only when there is a request: a message may hold a ref to the very server that it is
// for, whose class is not complete where the message is defined, and nobody knows yet of what kind it is.
template <class S, class Request>
using protocol_for = server_protocol<std::conditional_t<std::is_void_v<Request>, S, S>>;

} // namespace smarm::detail

#endif
