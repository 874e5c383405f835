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
// smarm::send_after takes the first two as well, and looks for the actor when the time has come.

#ifndef SMARM_SEND_HPP
#define SMARM_SEND_HPP

#include <smarm/detail/published.hpp>
#include <smarm/name.hpp>
#include <smarm/pid.hpp>
#include <smarm/typed_pid.hpp>

#include <boost/system/result.hpp>

#include <type_traits>
#include <utility>

namespace smarm {

// As to.send(value).
template <class A, class Value>
boost::system::result<void> send(const typed_pid<A>& to, Value&& value) {
  return to.send(std::forward<Value>(value));
}
template <class M>
boost::system::result<void> send(const name<M>& to, std::type_identity_t<M>&& value) {
  return to.send(std::move(value));
}
template <class M>
boost::system::result<void> send(const name<M>& to, const std::type_identity_t<M>& value) {
  return to.send(value);
}

// Sends to that actor's inbox for messages of type M, whatever the actor's type. Errors and the rest
// as typed_pid::send.
template <class M>
boost::system::result<void> send_dyn(pid to, std::type_identity_t<M>&& value) {
  return detail::send_to_actor<detail::waits::yes, M>(detail::runtime_of_caller("smarm::send_dyn"),
                                                      to, nullptr, std::move(value));
}
template <class M>
boost::system::result<void> send_dyn(pid to, const std::type_identity_t<M>& value) {
  return detail::send_to_actor<detail::waits::yes, M>(detail::runtime_of_caller("smarm::send_dyn"),
                                                      to, nullptr, value);
}

} // namespace smarm

#endif
