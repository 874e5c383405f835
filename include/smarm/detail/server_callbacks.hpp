// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Which callbacks a server class has: found by overload, so that the handler's signature is all that
// is written. What is missing or cannot be called is a compile error in a sentence.

#ifndef SMARM_DETAIL_SERVER_CALLBACKS_HPP
#define SMARM_DETAIL_SERVER_CALLBACKS_HPP

#include <smarm/down.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/reply_to.hpp>

#include <iosfwd>
#include <type_traits>
#include <utility>

namespace smarm::detail {

// ---- handle_call(Request) -> reply

template <class S, class Request>
concept answers_at_once = requires(S& server, Request request) {
  server.handle_call(std::move(request));
};

// ---- handle_call(Request, reply_to<R>): R is deduced from the one overload that fits

template <class Request, class C, class R>
R deferred_reply(void (C::*)(Request, reply_to<R>));
template <class Request, class C, class R>
R deferred_reply(void (C::*)(Request, reply_to<R>) const);
template <class Request, class C, class R>
R deferred_reply(void (C::*)(const Request&, reply_to<R>));
template <class Request, class C, class R>
R deferred_reply(void (C::*)(const Request&, reply_to<R>) const);
template <class Request, class C, class R>
R deferred_reply(void (C::*)(Request&&, reply_to<R>));
template <class Request, class C, class R>
R deferred_reply(void (C::*)(Request&&, reply_to<R>) const);

template <class R>
struct reply_type {
  using type = R;
};

template <class S, class Request>
concept answers_later = requires {
  deferred_reply<Request>(&S::handle_call);
}
|| requires { deferred_reply<Request, S>(&S::handle_call); };

// Takes something by a reference that it could change, which a request in a queue is not.
template <class S, class Request>
concept answers_references = requires(S& server, Request& request) {
  server.handle_call(request);
};

template <class S, class Request>
constexpr void check_call() {
  constexpr bool handled = answers_at_once<S, Request> || answers_later<S, Request>;
  static_assert(handled || !answers_references<S, Request>,
                "smarm: the server's handle_call takes this request by a reference to non-const; "
                "take it by value, by const& or by &&");
  static_assert(handled || answers_references<S, Request>,
                "smarm: the server has no handle_call for this type of request; it needs a public "
                "member R handle_call(Request), or void handle_call(Request, smarm::reply_to<R>)");
  static_assert(!(answers_at_once<S, Request> && answers_later<S, Request>),
                "smarm: the server has two handle_call for this type of request, one that answers "
                "at once and one with a smarm::reply_to; keep one");
}

template <class S, class Request>
auto find_reply_type() {
  check_call<S, Request>();
  if constexpr (answers_at_once<S, Request>) {
    using returned = decltype(std::declval<S&>().handle_call(std::declval<Request>()));
    return reply_type<std::remove_cv_t<std::remove_reference_t<returned>>>();
  } else if constexpr (answers_later<S, Request>) {
    return reply_type<decltype(deferred_reply<Request>(&S::handle_call))>();
  } else {
    return reply_type<void>(); // after the message above
  }
}

template <class S, class Request>
using reply_of = typename decltype(find_reply_type<S, Request>())::type;

// ---- the others

template <class S, class M>
concept takes_cast = requires(S& server, M message) {
  server.handle_cast(std::move(message));
};
template <class S, class M>
concept takes_info = requires(S& server, M message) {
  server.handle_info(std::move(message));
};
template <class S, class M>
concept takes_timer = requires(S& server, M message) {
  server.handle_timer(std::move(message));
};
template <class S, class M>
concept takes_continue = requires(S& server, M message) {
  server.handle_continue(std::move(message));
};
template <class S, class Tag, class Result>
concept takes_reply = requires(S& server, Tag tag, Result result) {
  server.handle_reply(std::move(tag), std::move(result));
};
template <class S>
concept takes_down = requires(S& server, down d) {
  server.handle_down(std::move(d));
};
template <class S>
concept takes_idle = requires(S& server) {
  server.handle_idle();
};
template <class S>
concept has_init = requires(S& server) {
  server.init();
};
template <class S>
concept has_terminate = requires(S& server, exit_reason why) {
  server.terminate(why);
};

template <class S>
concept describes = requires(const S& server, std::ostream& out) {
  server.describe(out);
};
// ---- whether a class has a member of that name at all, however it is declared: in a class with two
// bases that have one the name is ambiguous, also where it is private or overloaded

struct has_init_too {
  int init;
};
struct has_terminate_too {
  int terminate;
};
struct has_describe_too {
  int describe;
};
template <class S, class Too>
struct with_another : S, Too {};

template <class S>
concept names_init = !std::is_final_v<S> && !requires {
  &with_another<S, has_init_too>::init;
};
template <class S>
concept names_terminate = !std::is_final_v<S> && !requires {
  &with_another<S, has_terminate_too>::terminate;
};

template <class S>
concept names_describe = !std::is_final_v<S> && !requires {
  &with_another<S, has_describe_too>::describe;
};

// Nothing asks for these by what it passes, so one that cannot be called would be passed over.
template <class S>
constexpr void check_life() {
  static_assert(has_init<S> || !names_init<S>,
                "smarm: the server's init cannot be called; it is a public member void init() or "
                "smarm::init_result init()");
  static_assert(has_terminate<S> || !names_terminate<S>,
                "smarm: the server's terminate cannot be called; it is a public member "
                "void terminate(const smarm::exit_reason&)");
  static_assert(describes<S> || !names_describe<S>,
                "smarm: the server's describe cannot be called; it is a public member "
                "void describe(std::ostream&) const");
}

template <class S, class M>
constexpr void check_cast() {
  static_assert(takes_cast<S, M>,
                "smarm: the server has no handle_cast for this type of message; it needs a public "
                "member void handle_cast(Message), which takes it by value, by const& or by &&");
}

} // namespace smarm::detail

#endif
