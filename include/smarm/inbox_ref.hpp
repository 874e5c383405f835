// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One inbox of one actor, found anew at each use: a pid, and what is sent to it. Where a timer sends to
// an actor that takes several types of messages, or of which only the pid is known:
//
//     (void)smarm::send_after(5s, account_pid.inbox<query>(), query{...});   // a typed_pid
//     (void)smarm::send_after(5s, smarm::inbox_of<job>(some_pid), job{...}); // a bare pid

#ifndef SMARM_INBOX_REF_HPP
#define SMARM_INBOX_REF_HPP

#include <smarm/detail/published.hpp>
#include <smarm/detail/timed_destination.hpp>
#include <smarm/pid.hpp>

#include <boost/system/result.hpp>

#include <utility>

namespace smarm {

template <class A>
class typed_pid;

// Never another actor than the one it was made for. Copy it, keep it: it owns nothing.
template <class M>
class inbox_ref {
public:
  // Of no actor.
  constexpr inbox_ref() noexcept = default;

  [[nodiscard]] constexpr pid actor() const noexcept { return id_; }

  // Errors, suspension and the rest as typed_pid::send.
  [[nodiscard]] boost::system::result<void> send(M&& value) const {
    return detail::send_to_actor<detail::waits::yes, M>(detail::runtime_of_caller("smarm::send"),
                                                        id_, as_, std::move(value));
  }
  [[nodiscard]] boost::system::result<void> send(const M& value) const {
    return detail::send_to_actor<detail::waits::yes, M>(detail::runtime_of_caller("smarm::send"),
                                                        id_, as_, value);
  }
  // The same without waiting: errc::queue_full. Neither suspends nor is a stop point.
  [[nodiscard]] boost::system::result<void> try_send(M&& value) const {
    return detail::send_to_actor<detail::waits::no, M>(detail::runtime_of_caller("smarm::try_send"),
                                                       id_, as_, std::move(value));
  }
  [[nodiscard]] boost::system::result<void> try_send(const M& value) const {
    return detail::send_to_actor<detail::waits::no, M>(detail::runtime_of_caller("smarm::try_send"),
                                                       id_, as_, value);
  }

private:
  template <class A>
  friend class typed_pid;
  template <class T>
  friend constexpr inbox_ref<T> inbox_of(pid actor) noexcept;
  constexpr inbox_ref(pid id, detail::type_key as) noexcept : id_(id), as_(as) {}

  pid id_;
  detail::type_key as_ = nullptr;
};

// That actor's inbox for messages of type M, whatever the actor's type.
template <class M>
[[nodiscard]] constexpr inbox_ref<M> inbox_of(pid actor) noexcept {
  return inbox_ref<M>(actor, nullptr);
}

namespace detail {
template <class M>
struct message_of<inbox_ref<M>> {
  using type = M;
};
} // namespace detail

} // namespace smarm

#endif
