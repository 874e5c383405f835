// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Sending to whom one knows by pid or by name. Where one holds the channel's own sender, that is the
// shorter way.
//
//     (void)smarm::send(counter_pid, 1);             // a typed_pid: this actor, and no other
//     (void)smarm::send(the_printer, job{...});      // a name: whoever has it now
//     (void)smarm::send_dyn<job>(some_pid, job{...}); // a bare pid: said here what it takes
//
// smarm::send_after takes the first two as well, and an inbox_ref, and looks for the actor when the time
// has come. On a plain thread runtime_handle has the same functions.

#ifndef SMARM_SEND_HPP
#define SMARM_SEND_HPP

#include <smarm/detail/published.hpp>
#include <smarm/error.hpp>
#include <smarm/inbox_ref.hpp>
#include <smarm/name.hpp>
#include <smarm/pid.hpp>
#include <smarm/runtime.hpp>
#include <smarm/typed_pid.hpp>

#include <boost/system/result.hpp>

#include <type_traits>
#include <utility>

namespace smarm {

// As to.send(value) and to.try_send(value).
template <class A, class Value>
[[nodiscard]] boost::system::result<void> send(const typed_pid<A>& to, Value&& value) {
  return to.send(std::forward<Value>(value));
}
template <class A, class Value>
[[nodiscard]] boost::system::result<void> try_send(const typed_pid<A>& to, Value&& value) {
  return to.try_send(std::forward<Value>(value));
}
template <class M>
[[nodiscard]] boost::system::result<void> send(const name<M>& to, std::type_identity_t<M>&& value) {
  return to.send(std::move(value));
}
template <class M>
[[nodiscard]] boost::system::result<void> send(const name<M>& to,
                                               const std::type_identity_t<M>& value) {
  return to.send(value);
}
template <class M>
[[nodiscard]] boost::system::result<void> try_send(const name<M>& to,
                                                   std::type_identity_t<M>&& value) {
  return to.try_send(std::move(value));
}
template <class M>
[[nodiscard]] boost::system::result<void> try_send(const name<M>& to,
                                                   const std::type_identity_t<M>& value) {
  return to.try_send(value);
}

// Sends to that actor's inbox for messages of type M, whatever the actor's type. Errors and the rest
// as typed_pid::send.
template <class M>
[[nodiscard]] boost::system::result<void> send_dyn(pid to, std::type_identity_t<M>&& value) {
  return inbox_of<M>(to).send(std::move(value));
}
template <class M>
[[nodiscard]] boost::system::result<void> send_dyn(pid to, const std::type_identity_t<M>& value) {
  return inbox_of<M>(to).send(value);
}
template <class M>
[[nodiscard]] boost::system::result<void> try_send_dyn(pid to, std::type_identity_t<M>&& value) {
  return inbox_of<M>(to).try_send(std::move(value));
}
template <class M>
[[nodiscard]] boost::system::result<void> try_send_dyn(pid to,
                                                       const std::type_identity_t<M>& value) {
  return inbox_of<M>(to).try_send(value);
}

// ---- through the handle

template <class A, class Value>
boost::system::result<void> runtime_handle::send(const typed_pid<A>& to, Value&& value) const {
  return with_state([&](detail::runtime_state& in) {
    return to.template transmit<detail::waits::yes>(in, std::forward<Value>(value));
  });
}
template <class A, class Value>
boost::system::result<void> runtime_handle::try_send(const typed_pid<A>& to, Value&& value) const {
  return with_state([&](detail::runtime_state& in) {
    return to.template transmit<detail::waits::no>(in, std::forward<Value>(value));
  });
}
template <class M, class Value>
boost::system::result<void> runtime_handle::send(const name<M>& to, Value&& value) const {
  return with_state([&](detail::runtime_state& in) {
    return to.template transmit<detail::waits::yes>(in, std::forward<Value>(value));
  });
}
template <class M, class Value>
boost::system::result<void> runtime_handle::try_send(const name<M>& to, Value&& value) const {
  return with_state([&](detail::runtime_state& in) {
    return to.template transmit<detail::waits::no>(in, std::forward<Value>(value));
  });
}
template <class M, class Value>
boost::system::result<void> runtime_handle::send_dyn(pid to, Value&& value) const {
  return with_state([&](detail::runtime_state& in) {
    return detail::send_to_actor<detail::waits::yes, M>(in, to, nullptr,
                                                        std::forward<Value>(value));
  });
}
template <class M, class Value>
boost::system::result<void> runtime_handle::try_send_dyn(pid to, Value&& value) const {
  return with_state([&](detail::runtime_state& in) {
    return detail::send_to_actor<detail::waits::no, M>(in, to, nullptr, std::forward<Value>(value));
  });
}

} // namespace smarm

#endif
