// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Which messages a type of actor takes. The type says so, with one type or with a list of them:
//
//     struct counter { using message = int; ... };
//     struct account { using message = smarm::messages<deposit, query>; ... };

#ifndef SMARM_MESSAGES_HPP
#define SMARM_MESSAGES_HPP

#include <cstddef>
#include <type_traits>

namespace smarm {

template <class... Ms>
struct messages {
  static constexpr std::size_t size = sizeof...(Ms);
  template <class M>
  static constexpr bool contains = (std::is_same_v<M, Ms> || ...);
};

namespace detail {

template <class M>
struct as_messages {
  using type = messages<M>;
};
template <class... Ms>
struct as_messages<messages<Ms...>> {
  using type = messages<Ms...>;
};

// The one message of an actor that takes but one.
template <class List>
struct sole_message {};
template <class M>
struct sole_message<messages<M>> {
  using type = M;
};

} // namespace detail

// A type that can be an actor's: it says what it takes.
template <class A>
concept actor_type = requires {
  typename A::message;
};

namespace detail {

template <class A>
struct messages_of_actor {
  static_assert(actor_type<A>, "smarm: an actor type says what it takes by a member type named "
                               "message, which is one type or a smarm::messages<...>");
  using type = messages<>;
};
template <actor_type A>
struct messages_of_actor<A> {
  using type = typename as_messages<typename A::message>::type;
};

} // namespace detail

template <class A>
using messages_of = typename detail::messages_of_actor<A>::type;

namespace detail {

// Which of A's messages a value is sent as: its own type, or the only one there is.
template <class A, class Value>
struct chosen_message {
  using list = messages_of<A>;
  using value = std::remove_cvref_t<Value>;
  static constexpr bool as_it_is = list::template contains<value>;
  static_assert(as_it_is || list::size == 1,
                "smarm: this type of actor takes no messages of this type");

  using type = typename std::conditional_t<as_it_is || list::size != 1, std::type_identity<value>,
                                           sole_message<list>>::type;
  static_assert(
      as_it_is || std::is_constructible_v<type, Value>,
      "smarm: this type of actor takes one type of message, and it cannot be made of this");
};

} // namespace detail
} // namespace smarm

#endif
