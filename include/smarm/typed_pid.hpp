// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A pid that knows what its actor takes. It names one actor for good: when that has ended a send says
// so, and never goes to whoever came after it. For that, use a name.

#ifndef SMARM_TYPED_PID_HPP
#define SMARM_TYPED_PID_HPP

#include <smarm/detail/published.hpp>
#include <smarm/detail/timed_destination.hpp>
#include <smarm/inbox_ref.hpp>
#include <smarm/messages.hpp>
#include <smarm/pid.hpp>

#include <boost/system/result.hpp>

#include <compare>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <utility>

namespace smarm {

namespace detail {
struct typed_pid_access;
}

// A is the type of the actor, see messages.hpp; only spawn_actor, publish_as and lookup_as make one.
// Copy it, keep it, send it: it owns nothing.
template <class A>
class typed_pid {
public:
  // No actor.
  constexpr typed_pid() noexcept = default;

  // The same actor, for those who need not know what it takes.
  [[nodiscard]] constexpr pid untyped() const noexcept { return id_; }
  constexpr operator pid() const noexcept { return id_; }

  // Sends to the actor's inbox for messages of that type; if A takes but one, anything that it can be
  // made of. Waits only where that inbox is bounded and blocks, as a sender does. Errors: no_process
  // (the actor has ended), no_channel (it has published no such inbox, or not as an A), closed (it has
  // given the inbox up), and those of sender::send; the value is then untouched, unless another one had
  // to be made of it. Works from actors and in scheduler context; throws system_error(
  // errc::not_in_actor) on a plain thread, where runtime_handle::send works. Linear in the number of
  // the actor's inboxes.
  template <class Value>
  [[nodiscard]] boost::system::result<void> send(Value&& value) const {
    return transmit<detail::waits::yes>(detail::runtime_of_caller("smarm::send"),
                                        std::forward<Value>(value));
  }
  // The same without waiting: errc::queue_full. Neither suspends nor is a stop point.
  template <class Value>
  [[nodiscard]] boost::system::result<void> try_send(Value&& value) const {
    return transmit<detail::waits::no>(detail::runtime_of_caller("smarm::try_send"),
                                       std::forward<Value>(value));
  }

  // One of the actor's inboxes, as a place to send to.
  template <class M>
  [[nodiscard]] constexpr inbox_ref<M> inbox() const noexcept {
    static_assert(messages_of<A>::template contains<M>,
                  "smarm: this type of actor takes no messages of this type");
    return inbox_ref<M>(id_, detail::key_of<A>());
  }

  friend constexpr bool operator==(const typed_pid&, const typed_pid&) noexcept = default;
  friend constexpr auto operator<=>(const typed_pid&, const typed_pid&) noexcept = default;
  [[nodiscard]] friend std::size_t hash_value(const typed_pid& p) noexcept {
    return hash_value(p.id_);
  }
  friend std::ostream& operator<<(std::ostream& out, const typed_pid& p) { return out << p.id_; }

private:
  friend struct detail::typed_pid_access;
  friend class runtime_handle;
  explicit constexpr typed_pid(pid id) noexcept : id_(id) {}

  template <detail::waits Wait, class Value>
  boost::system::result<void> transmit(detail::runtime_state& runtime, Value&& value) const {
    using message = typename detail::chosen_message<A, Value>::type;
    return detail::send_to_actor<Wait, message>(runtime, id_, detail::key_of<A>(),
                                                std::forward<Value>(value));
  }

  pid id_;
};

namespace detail {

struct typed_pid_access {
  template <class A>
  [[nodiscard]] static constexpr typed_pid<A> make(pid id) noexcept {
    return typed_pid<A>(id);
  }
};

template <class A>
struct message_of<typed_pid<A>> : sole_message<messages_of<A>> {};

} // namespace detail
} // namespace smarm

template <class A>
struct std::hash<smarm::typed_pid<A>> {
  [[nodiscard]] std::size_t operator()(const smarm::typed_pid<A>& p) const noexcept {
    return hash_value(p);
  }
};

#endif
