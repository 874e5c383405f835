// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Finding actors by name. A name has one live holder at most; an actor may have several. It is free
// again before anybody hears of its holder's end from a join, a link, a monitor or a group, so that a
// successor can take it at once.
//
// All of these work from actors and in scheduler context, in the caller's runtime; on a plain thread
// they throw boost::system::system_error with errc::not_in_actor, and runtime_handle has what one needs
// there. Only wait_for_name suspends, and is a stop point. A look-up takes constant time.

#ifndef SMARM_REGISTRY_HPP
#define SMARM_REGISTRY_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/deadline.hpp>
#include <smarm/detail/published.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/messages.hpp>
#include <smarm/name.hpp>
#include <smarm/pid.hpp>
#include <smarm/runtime.hpp>
#include <smarm/this_actor.hpp>
#include <smarm/typed_pid.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace smarm {

// Gives a name to an actor of the caller's runtime. Nothing happens if it has it already. The text is
// copied. Errors: name_taken (another live actor has it: see whereis), no_process, out_of_memory.
// Throws std::bad_alloc.
[[nodiscard]] boost::system::result<void> register_name(std::string_view text, pid holder);

// Takes a name from whoever has it, and returns whom; the actor and its inboxes stay. Nothing if nobody
// has it.
std::optional<pid> unregister(std::string_view text);

// Who has the name now, if anybody.
[[nodiscard]] std::optional<pid> whereis(std::string_view text);

// One of the names of an actor, the first that it was given of those it has.
[[nodiscard]] std::optional<std::string> name_of(pid actor);

namespace detail {

// The inbox takes the place of one for the same messages, if there is one.
void publish_inbox(const char* call, std::unique_ptr<published_inbox> inbox);
[[nodiscard]] boost::system::result<void>
register_and_publish(std::string_view text, std::unique_ptr<published_inbox> inbox);
[[nodiscard]] bool takes_messages_as(runtime_state& runtime, pid actor, type_key message,
                                     type_key as) noexcept;
[[nodiscard]] boost::system::result<pid> await_name(runtime_state& runtime, std::string_view text,
                                                    std::int64_t deadline);

template <class A, class... Ms>
[[nodiscard]] bool is_actor_of_type(runtime_state& runtime, pid actor, messages<Ms...>) noexcept {
  return (takes_messages_as(runtime, actor, key_of<Ms>(), key_of<A>()) || ...);
}

[[nodiscard]] std::optional<pid> holder_in(runtime_state& runtime, std::string_view text) noexcept;

template <class A>
[[nodiscard]] std::optional<typed_pid<A>> lookup_in(runtime_state& runtime, std::string_view text) {
  const std::optional<pid> holder = holder_in(runtime, text);
  if (!holder || !is_actor_of_type<A>(runtime, *holder, messages_of<A>())) {
    return std::nullopt;
  }
  return typed_pid_access::make<A>(*holder);
}

} // namespace detail

// Lets others send to the calling actor, with its pid or its name: it publishes the sending end of an
// inbox, one for each type of message. Another one for the same type takes its place. Throws
// system_error(errc::not_in_actor), std::bad_alloc.
template <class M>
void publish(sender<M> inbox) {
  detail::publish_inbox("smarm::publish",
                        std::make_unique<detail::published_sender<M>>(std::move(inbox), nullptr));
}

// The same for one inbox of an actor of type A; afterwards it can be found as one. Returns its pid.
template <class A, class M>
[[nodiscard]] typed_pid<A> publish_as(sender<M> inbox) {
  static_assert(messages_of<A>::template contains<M>,
                "smarm: this type of actor takes no messages of this type");
  const pid self = this_actor::self();
  detail::publish_inbox("smarm::publish_as", std::make_unique<detail::published_sender<M>>(
                                                 std::move(inbox), detail::key_of<A>()));
  return detail::typed_pid_access::make<A>(self);
}

// Gives the calling actor a name and publishes an inbox; if the name is taken it does neither. An actor
// may do so again with the same name and another type of message.
template <class M>
[[nodiscard]] boost::system::result<void> register_name(const name<M>& as, sender<M> inbox) {
  return detail::register_and_publish(
      as.text(), std::make_unique<detail::published_sender<M>>(std::move(inbox), nullptr));
}
template <class M>
[[nodiscard]] boost::system::result<void> register_name(const name<M>& as, pid holder) {
  return register_name(as.text(), holder);
}

// Who has the name now, if that is an actor of type A: one that was spawned by spawn_actor<A>, or has
// published an inbox as an A.
template <class A>
[[nodiscard]] std::optional<typed_pid<A>> lookup_as(std::string_view text) {
  return detail::lookup_in<A>(detail::runtime_of_caller("smarm::lookup_as"), text);
}
template <class A>
std::optional<typed_pid<A>> runtime_handle::lookup_as(std::string_view text) const {
  const auto state = state_.lock();
  return state ? detail::lookup_in<A>(*state, text) : std::nullopt;
}

// Waits until somebody has the name. Suspends. A stop point. Errors: timed_out, would_block_scheduler.
template <class Clock, class Duration>
[[nodiscard]] boost::system::result<pid>
wait_for_name(std::string_view text,
              const std::chrono::time_point<Clock, Duration>& deadline) {
  return detail::await_name(detail::runtime_of_caller("smarm::wait_for_name"), text,
                            detail::deadline_of(deadline));
}
template <class Rep, class Period>
[[nodiscard]] boost::system::result<pid>
wait_for_name(std::string_view text, const std::chrono::duration<Rep, Period>& limit) {
  return detail::await_name(detail::runtime_of_caller("smarm::wait_for_name"), text,
                            detail::deadline_after(limit));
}

template <class Clock, class Duration>
boost::system::result<pid> runtime_handle::wait_for_name(
    std::string_view text,
    const std::chrono::time_point<Clock, Duration>& deadline) const {
  return with_state([&](detail::runtime_state& in) {
    return detail::await_name(in, text, detail::deadline_of(deadline));
  });
}
template <class Rep, class Period>
boost::system::result<pid>
runtime_handle::wait_for_name(std::string_view text,
                              const std::chrono::duration<Rep, Period>& limit) const {
  return with_state([&](detail::runtime_state& in) {
    return detail::await_name(in, text, detail::deadline_after(limit));
  });
}

} // namespace smarm

#endif
