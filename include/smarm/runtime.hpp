// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A runtime: a number of scheduler threads and the actors that run on them.
//
//     smarm::runtime rt;
//     rt.run([] { ... });            // this thread becomes scheduler 0 until all actors have ended
//
// or beside a program that has a main loop of its own:
//
//     rt.start();                    // scheduler threads in the background
//     auto h = rt.handle().spawn([] { ... });
//     rt.shutdown(std::chrono::seconds(5));

#ifndef SMARM_RUNTIME_HPP
#define SMARM_RUNTIME_HPP

#include <smarm/config.hpp>
#include <smarm/detail/construct_actor.hpp>
#include <smarm/detail/timed_destination.hpp>
#include <smarm/error.hpp>
#include <smarm/fwd.hpp>
#include <smarm/join_handle.hpp>
#include <smarm/missed_tick.hpp>
#include <smarm/pid.hpp>
#include <smarm/runtime_stats.hpp>
#include <smarm/spawn_options.hpp>

#include <boost/system/result.hpp>

#include <chrono>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smarm {

namespace detail {
struct timed_delivery;
struct runtime_access;
}

//[survivor_outline
// What was left when a shutdown's time was up: an actor that was still alive or, with a pid that may
// have no actor any more, a blocking_detached call that goes on though its caller has left it.
struct survivor {
  pid actor;                          // or who made the call
  std::string label;                  // empty for a call
  std::string waits_for;              // "a message", "a lock" …, "nothing: it is running"
  std::chrono::nanoseconds age{};     // if it is running: since when, without a checkpoint, about
  std::size_t stack_used = 0;         // bytes, if it owns a stack
  std::vector<std::string> backtrace; // if it is running: its frames, innermost first
  std::string text;                   // all of this but its name, for people

  // The actor, its label and the text.
  friend std::ostream& operator<<(std::ostream& out, const survivor& s);
};
//]

// A runtime as seen from any thread; cheap to copy, and does not keep the runtime alive. After the
// runtime has ended every call is a clean refusal.
class runtime_handle {
public:
  runtime_handle() noexcept = default;

  // Starts an actor from a plain thread, or in another runtime. Does not wait. Errors: those of
  // smarm::try_spawn, and runtime_down if the runtime is not running or about to end: its root has
  // ended, or a shutdown was asked for.
  template <class Body>
  [[nodiscard]] boost::system::result<join_handle> try_spawn(const spawn_options& options,
                                                             Body&& body) const {
    return spawn_in(&options, std::forward<Body>(body));
  }
  template <class Body>
  [[nodiscard]] boost::system::result<join_handle> try_spawn(Body&& body) const {
    return spawn_in(nullptr, std::forward<Body>(body));
  }
  // The same; throws boost::system::system_error instead, see smarm::spawn.
  template <class Body>
  join_handle spawn(const spawn_options& options, Body&& body) const {
    const auto state = state_.lock();
    return detail::checked_spawn(spawn_in(&options, std::forward<Body>(body)), &options,
                                 state.get());
  }
  template <class Body>
  join_handle spawn(Body&& body) const {
    return detail::checked_spawn(spawn_in(nullptr, std::forward<Body>(body)));
  }

  // As the functions of the same names, from any thread. False if there is no such actor.
  bool request_stop(pid actor) const noexcept;
  bool request_shutdown(pid actor) const noexcept;

  // True if the pid names a live actor at this moment; false also when the runtime is gone. From
  // anywhere. Neither suspends nor is a stop point.
  [[nodiscard]] bool is_live(pid actor) const noexcept;

  // As the functions of the same names, from any thread, for the actors of this runtime. For these
  // include the headers that they are in: smarm/monitor.hpp, registry.hpp, send.hpp, spawn_actor.hpp.
  // When the runtime is gone its actors are dead and have no names, and what would change or send
  // something returns runtime_down. A send blocks the thread where a sender's would.
  [[nodiscard]] monitor_ref monitor(pid target) const;
  [[nodiscard]] boost::system::result<void> register_name(std::string_view text, pid holder) const;
  std::optional<pid> unregister(std::string_view text) const;
  [[nodiscard]] std::optional<pid> whereis(std::string_view text) const;
  [[nodiscard]] std::optional<std::string> name_of(pid actor) const;
  template <class A>
  [[nodiscard]] std::optional<typed_pid<A>> lookup_as(std::string_view text) const;
  // Blocks a plain thread. Goes on from one run to the next, and ends with errc::runtime_down when the
  // runtime object goes. An actor of another runtime is suspended only.
  template <class Clock, class Duration>
  [[nodiscard]] boost::system::result<pid>
  wait_for_name(std::string_view text,
                const std::chrono::time_point<Clock, Duration>& deadline) const;
  template <class Rep, class Period>
  [[nodiscard]] boost::system::result<pid>
  wait_for_name(std::string_view text, const std::chrono::duration<Rep, Period>& limit) const;
  template <class A, class Value>
  [[nodiscard]] boost::system::result<void> send(const typed_pid<A>& to, Value&& value) const;
  template <class A, class Value>
  [[nodiscard]] boost::system::result<void> try_send(const typed_pid<A>& to, Value&& value) const;
  template <class M, class Value>
  [[nodiscard]] boost::system::result<void> send(const name<M>& to, Value&& value) const;
  template <class M, class Value>
  [[nodiscard]] boost::system::result<void> try_send(const name<M>& to, Value&& value) const;
  template <class M, class Value>
  [[nodiscard]] boost::system::result<void> send_dyn(pid to, Value&& value) const;
  template <class M, class Value>
  [[nodiscard]] boost::system::result<void> try_send_dyn(pid to, Value&& value) const;
  template <class A, class... Arguments>
  actor_handle<A> spawn_actor(const spawn_options& options, Arguments&&... arguments) const;
  template <class A, class... Arguments>
    requires(!detail::begins_with_options<Arguments...>)
  actor_handle<A> spawn_actor(Arguments&&... arguments)
  const;
  template <class A, class... Arguments>
  [[nodiscard]] boost::system::result<actor_handle<A>>
  try_spawn_actor(const spawn_options& options, Arguments&&... arguments) const;
  template <class A, class... Arguments>
    requires(!detail::begins_with_options<Arguments...>)
  [[nodiscard]] boost::system::result<actor_handle<A>>
  try_spawn_actor(Arguments&&... arguments) const;

  // As smarm::start_server, see smarm/gen_server.hpp, but the server is nobody's child. Blocks a plain
  // thread until init is done. Error: also runtime_down.
  template <class S, class... Arguments>
  [[nodiscard]] boost::system::result<server_ref<S>> start_server(const spawn_options& options,
                                                                  Arguments&&... arguments) const;
  template <class S, class... Arguments>
  [[nodiscard]] boost::system::result<server_ref<S>> start_server(const server_options& options,
                                                                  Arguments&&... arguments) const;
  template <class S, class... Arguments>
    requires(!detail::begins_with_options<Arguments...>)
  [[nodiscard]] boost::system::result<server_ref<S>> start_server(Arguments&&... arguments) const;

  // As the functions of the same names, from any thread: a scheduler of this runtime sends. For these
  // include smarm/send_after.hpp and smarm/tick.hpp. Do not wait. Error: runtime_down if the runtime is
  // not running; the value is destroyed then. Throw what those functions throw, but for not_in_actor.
  template <class Rep, class Period, class Destination>
  boost::system::result<timer_id> send_after(const std::chrono::duration<Rep, Period>& delay,
                                             const Destination& to,
                                             detail::message_of_t<Destination> value) const;
  template <class Clock, class Duration, class Destination>
  boost::system::result<timer_id> send_at(const std::chrono::time_point<Clock, Duration>& when,
                                          const Destination& to,
                                          detail::message_of_t<Destination> value) const;
  template <class Rep, class Period, class Destination>
  boost::system::result<timer_id>
  tick_every(const std::chrono::duration<Rep, Period>& period, const Destination& to,
             detail::message_of_t<Destination> value, missed_tick policy = missed_tick::skip) const;

private:
  friend class runtime;
  friend struct detail::runtime_access;
  explicit runtime_handle(std::weak_ptr<detail::runtime_state> state) noexcept
      : state_(std::move(state)) {}

  template <class Body>
  boost::system::result<join_handle> spawn_in(const spawn_options* options, Body&& body) const {
    const auto state = state_.lock();
    if (!state) {
      return make_error_code(errc::runtime_down);
    }
    return detail::spawn_from_outside(*state, options, std::forward<Body>(body));
  }

  template <class A, class... Arguments>
  boost::system::result<actor_handle<A>> spawn_typed(const spawn_options* options,
                                                     Arguments&&... arguments) const;

  boost::system::result<timer_id> arm(detail::timed_delivery& fresh, std::int64_t deadline) const;

  template <class What>
  auto with_state(What&& what) const -> decltype(what(std::declval<detail::runtime_state&>())) {
    if (const auto state = state_.lock()) {
      return what(*state);
    }
    return make_error_code(errc::runtime_down);
  }

  std::weak_ptr<detail::runtime_state> state_;
};

namespace detail {
// For what takes a handle.
struct runtime_access {
  [[nodiscard]] static const std::weak_ptr<runtime_state>&
  state(const runtime_handle& handle) noexcept {
    return handle.state_;
  }
  [[nodiscard]] static runtime_handle handle(const std::shared_ptr<runtime_state>& of) noexcept {
    return runtime_handle(of);
  }
};
} // namespace detail

class runtime {
public:
  // Throws boost::system::system_error, invalid_config or too_many_schedulers, with a text that names
  // the field of the configuration, its value and the allowed range.
  explicit runtime(config settings = {});
  runtime(const runtime&) = delete;
  runtime& operator=(const runtime&) = delete;

  // Shuts down what was started and not waited for, see config::destructor_grace and ::zombies. From
  // inside one of its own actors, or of its blocking calls, it only asks every actor to shut down: the
  // schedulers go on until they have ended. From anywhere else it blocks the thread.
  ~runtime();

  // Runs `body` as the root actor and returns when every actor has ended; the calling thread is
  // scheduler 0 meanwhile. When the root ends, every actor that is not under a live parent is asked
  // to shut down. What the root threw is rethrown, after everything has ended; a stopped root is no
  // error. A runtime can run again and again. Throws system_error(errc::nested_run) if it is running
  // or if the caller is an actor, and std::system_error if a thread cannot be started.
  template <class Body>
  void run(Body&& body) {
    enter();
    const auto state = state_; // the runtime itself may be destroyed by one of its actors
    const auto root = [&] {
      try {
        return detail::spawn_from_outside(*state, nullptr, std::forward<Body>(body),
                                          detail::root_actor::yes);
      } catch (...) { // the body could not be copied
        run_to_end(*state);
        throw;
      }
    };
    run_to_end(*state, root());
  }

  // Starts the schedulers on threads of their own and returns. They run until wait() or shutdown(),
  // with or without actors. Throws system_error(errc::nested_run) if the runtime is running or if the
  // caller is an actor, and std::system_error if a thread cannot be started; no run has begun then.
  // Does not suspend, and is no stop point: actors cannot call it.
  void start();

  // Lets the runtime end once its last actor has, and its last blocking call, and waits for that. Blocks the thread, so it throws
  // system_error: would_block_scheduler from an actor, of whichever runtime; would_deadlock from a
  // blocking call of this one, for whose end the run waits.
  void wait();

  // Asks every actor to shut down, and waits until all have ended, and the blocking calls that some
  // have left, or the time is up. Returns those that have not ended and what each of them waits for;
  // empty means that the runtime has ended. Blocks the thread, so it throws system_error:
  // would_block_scheduler from an actor, of whichever runtime; would_deadlock from a blocking call of
  // this one.
  [[nodiscard]] std::vector<survivor> shutdown(std::chrono::nanoseconds limit);

  [[nodiscard]] runtime_handle handle() const noexcept;
  [[nodiscard]] runtime_stats stats() const;
  // The configuration with its defaults filled in.
  [[nodiscard]] const config& settings() const noexcept;

private:
  void enter();
  static void run_to_end(detail::runtime_state& state);
  static void run_to_end(detail::runtime_state& state, boost::system::result<join_handle> root);

  std::shared_ptr<detail::runtime_state> state_;
};

namespace this_actor {
// The runtime of the caller, for what outlives it or is told from other threads; also in scheduler
// context. Throws boost::system::system_error: not_in_actor on a plain thread. Neither suspends nor is a
// stop point.
[[nodiscard]] runtime_handle get_runtime();
} // namespace this_actor

// A runtime with one scheduler that lives for this call: runtime({.schedulers = 1}).run(body).
template <class Body>
void run(Body&& body) {
  runtime({.schedulers = 1}).run(std::forward<Body>(body));
}

} // namespace smarm

#endif
