// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Actors with a type: a class that says what it takes and what it does with it.
//
//     struct counter {
//       using message = int;
//       void run(smarm::receiver<int>& inbox) {
//         while (auto n = inbox.recv()) { total += *n; }
//       }
//       long total = 0;
//     };
//     auto c = smarm::spawn_actor<counter>();
//     (void)smarm::send(c.id(), 1);
//
// With `using message = smarm::messages<M, N>` run gets a receiver for each.

#ifndef SMARM_SPAWN_ACTOR_HPP
#define SMARM_SPAWN_ACTOR_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/published.hpp>
#include <smarm/detail/watched_spawn.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/messages.hpp>
#include <smarm/runtime.hpp>
#include <smarm/spawn_options.hpp>
#include <smarm/typed_pid.hpp>

#include <boost/system/result.hpp>

#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace smarm {

// A join_handle that knows the actor's type.
template <class A>
class actor_handle : public join_handle {
public:
  actor_handle() noexcept = default;
  explicit actor_handle(join_handle&& handle) noexcept : join_handle(std::move(handle)) {}

  [[nodiscard]] typed_pid<A> id() const noexcept {
    return detail::typed_pid_access::make<A>(join_handle::id());
  }
};

namespace detail {

template <class A, class List>
struct actor_inboxes;

// Both ends of one channel for each message; the sending ones ready to be published.
template <class A, class... Ms>
struct actor_inboxes<A, messages<Ms...>> {
  static_assert(sizeof...(Ms) != 0, "smarm: an actor type takes at least one type of message");
  static_assert(
      requires(A & a, receiver<Ms>&... in) { a.run(in...); },
      "smarm: an actor type has a member run(smarm::receiver<M>&), with one receiver for "
      "each type of its messages");

  std::tuple<std::unique_ptr<published_sender<Ms>>...> published;
  std::tuple<receiver<Ms>...> receivers;

  actor_inboxes() { (open<Ms>(), ...); }

  void publish(relations& record) noexcept {
    (record.inboxes.push_front(
         *std::get<std::unique_ptr<published_sender<Ms>>>(published).release()),
     ...);
  }

private:
  template <class M>
  void open() {
    auto [to, from] = channel<M>();
    std::get<std::unique_ptr<published_sender<M>>>(published) =
        std::make_unique<published_sender<M>>(std::move(to), key_of<A>());
    std::get<receiver<M>>(receivers) = std::move(from);
  }
};

// The actor is made and destroyed in its own frame, before its inboxes; it need not be movable.
template <class A, class Receivers, class... Arguments>
[[nodiscard]] auto typed_body(Receivers&& inboxes, Arguments&&... arguments) {
  return [receivers = std::move(inboxes), given = std::tuple<std::decay_t<Arguments>...>(
                                              std::forward<Arguments>(arguments)...)]() mutable {
    A self = std::make_from_tuple<A>(std::move(given));
    std::apply([&self](auto&... each) { self.run(each...); }, receivers);
  };
}

template <class A, class... Arguments>
[[nodiscard]] boost::system::result<actor_handle<A>> try_spawn_typed(const spawn_options* options,
                                                                     Arguments&&... arguments) {
  actor_inboxes<A, messages_of<A>> inboxes;
  auto made = try_watched_spawn(
      options, typed_body<A>(std::move(inboxes.receivers), std::forward<Arguments>(arguments)...),
      [&](slot&, pid, relations& known) noexcept { inboxes.publish(known); });
  if (!made) {
    return made.error();
  }
  return actor_handle<A>(*std::move(made));
}

template <class A, class... Arguments>
actor_handle<A> spawn_typed(const spawn_options* options, Arguments&&... arguments) {
  auto made = try_spawn_typed<A>(options, std::forward<Arguments>(arguments)...);
  if (!made) {
    throw_spawn_error(made.error(), options);
  }
  return *std::move(made);
}

} // namespace detail

// Starts an actor that makes an A of copies of the arguments, which it moves, and calls its member
// run. Its inboxes are published before it can run, so that the pid is good for sending at once. What
// A's constructor throws ends the actor as a failure. Otherwise as spawn; the result is a join_handle
// whose id() is a typed_pid<A>.
template <class A, class... Arguments>
actor_handle<A> spawn_actor(const spawn_options& options, Arguments&&... arguments) {
  return detail::spawn_typed<A>(&options, std::forward<Arguments>(arguments)...);
}
template <class A, class... Arguments>
  requires(!detail::begins_with_options<Arguments...>)
actor_handle<A> spawn_actor(Arguments&&... arguments) {
  return detail::spawn_typed<A>(nullptr, std::forward<Arguments>(arguments)...);
}

// The same with the errors of try_spawn.
template <class A, class... Arguments>
[[nodiscard]] boost::system::result<actor_handle<A>> try_spawn_actor(const spawn_options& options,
                                                                     Arguments&&... arguments) {
  return detail::try_spawn_typed<A>(&options, std::forward<Arguments>(arguments)...);
}
template <class A, class... Arguments>
  requires(!detail::begins_with_options<Arguments...>)
[[nodiscard]] boost::system::result<actor_handle<A>> try_spawn_actor(Arguments&&... arguments) {
  return detail::try_spawn_typed<A>(nullptr, std::forward<Arguments>(arguments)...);
}

// ---- through the handle

template <class A, class... Arguments>
boost::system::result<actor_handle<A>> runtime_handle::spawn_typed(const spawn_options* options,
                                                                   Arguments&&... arguments) const {
  const auto state = state_.lock();
  if (!state) {
    return make_error_code(errc::runtime_down);
  }
  detail::actor_inboxes<A, messages_of<A>> inboxes;
  auto spare = detail::record_with_relations();
  auto made = detail::spawn_prepared_from_outside(
      *state, options,
      detail::typed_body<A>(std::move(inboxes.receivers), std::forward<Arguments>(arguments)...),
      [&](detail::slot& s) noexcept {
        inboxes.publish(detail::give_relations(s, std::move(spare)));
      });
  if (!made) {
    return made.error();
  }
  return actor_handle<A>(*std::move(made));
}

template <class A, class... Arguments>
boost::system::result<actor_handle<A>>
runtime_handle::try_spawn_actor(const spawn_options& options, Arguments&&... arguments) const {
  return spawn_typed<A>(&options, std::forward<Arguments>(arguments)...);
}
template <class A, class... Arguments>
  requires(!detail::begins_with_options<Arguments...>)
boost::system::result<actor_handle<A>> runtime_handle::try_spawn_actor(Arguments&&... arguments)
const { return spawn_typed<A>(nullptr, std::forward<Arguments>(arguments)...); }

template <class A, class... Arguments>
actor_handle<A> runtime_handle::spawn_actor(const spawn_options& options,
                                            Arguments&&... arguments) const {
  auto made = spawn_typed<A>(&options, std::forward<Arguments>(arguments)...);
  if (!made) {
    detail::throw_spawn_error(made.error(), &options, state_.lock().get());
  }
  return *std::move(made);
}
template <class A, class... Arguments>
  requires(!detail::begins_with_options<Arguments...>)
actor_handle<A> runtime_handle::spawn_actor(Arguments&&... arguments)
const {
  auto made = spawn_typed<A>(nullptr, std::forward<Arguments>(arguments)...);
  if (!made) {
    detail::throw_spawn_error(made.error());
  }
  return *std::move(made);
}

} // namespace smarm

#endif
