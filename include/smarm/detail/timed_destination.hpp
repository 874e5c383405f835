// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a timer can send to. Of a destination no more is asked than that a send which does not wait
// can be tried; what it takes is said by a specialisation of message_of.

#ifndef SMARM_DETAIL_TIMED_DESTINATION_HPP
#define SMARM_DETAIL_TIMED_DESTINATION_HPP

#include <smarm/fwd.hpp>

#include <boost/system/result.hpp>

#include <concepts>
#include <utility>

namespace smarm::detail {

template <class Destination>
struct message_of;
template <class T>
struct message_of<sender<T>> {
  using type = T;
};

template <class Destination>
using message_of_t = typename message_of<Destination>::type;

template <class Destination>
concept timed_destination = std::copy_constructible<Destination> &&
    requires(const Destination& to, message_of_t<Destination>&& message) {
  { to.try_send(std::move(message)) } -> std::same_as<boost::system::result<void>>;
};

} // namespace smarm::detail

#endif
