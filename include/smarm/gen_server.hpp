// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server: an actor that owns a state, and is called and told things. Derive from gen_server and write
// the handlers; everything else is there:
//
//     class counter : public smarm::gen_server<counter> {
//     public:
//       struct add { long by; };
//       struct get {};
//       void handle_cast(add m) { total_ += m.by; }
//       long handle_call(get) const { return total_; }
//     private:
//       long total_ = 0;
//     };
//     auto c = smarm::start_server<counter>().value();
//
// Callbacks, all public and all optional; they run one at a time, in the server's actor, and may wait:
//   R handle_call(Request)                       answers a call with what it returns
//   void handle_call(Request, reply_to<R>)       answers it later
//   void handle_cast(Message)
//   void handle_info(Message)                    from a channel, see receive_info
//   void handle_down(down)                       of an actor that it watches
//   void handle_timer(Payload)                   see arm_after and tick_every
//   void handle_reply(Tag, result<R>)            of a call that it has made itself, see expect
//   void handle_continue(Work)                   see continue_with
//   void handle_idle()                           see idle_after
//   void init(), or init_result init()           before the first message
//   void terminate(const exit_reason&)           at every ending
//   void describe(std::ostream&) const           for reports of a failure, and for sys::state
// What comes first is handled first, among things of one kind. Kinds are served in this order:
// continuations, downs, requests of sys, timers, replies, infos in the order of their declaration, calls
// and casts.
//
// A callback that throws ends the server as a failure. Whatever ends it: what is queued is answered
// errc::server_down, terminate is called, outside any unwinding and with stops masked, and the object
// is destroyed, all that in the server's actor. An idle server has no stack.

#ifndef SMARM_GEN_SERVER_HPP
#define SMARM_GEN_SERVER_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/server_arms.hpp>
#include <smarm/detail/server_callbacks.hpp>
#include <smarm/detail/server_extras.hpp>
#include <smarm/detail/server_loop.hpp>
#include <smarm/detail/server_self.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/down.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/init_result.hpp>
#include <smarm/missed_tick.hpp>
#include <smarm/pending_reply.hpp>
#include <smarm/pid.hpp>
#include <smarm/reply_to.hpp>
#include <smarm/server_ref.hpp>
#include <smarm/tick.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace smarm {

// Names a timer of one server.
enum class server_timer : std::uint64_t { none = 0 };

// The members below are for the callbacks of S. They neither suspend nor are stop points, and throw
// std::bad_alloc. What they set up belongs to the server, ends with it, and does not keep it alive.
template <class S>
class gen_server : public detail::extras_holder {
public:
  gen_server(const gen_server&) = delete;
  gen_server& operator=(const gen_server&) = delete;

protected:
  gen_server() = default;
  ~gen_server() = default;

  // A ref to this server, to hand out; one that it keeps in itself keeps it alive. When all refs were
  // gone before, the server ends all the same, and to who has this one it has ended. Throws
  // boost::system::system_error, errc::not_in_actor, outside its callbacks.
  [[nodiscard]] server_ref<S> self() const {
    return detail::ref_of_self<S>(*this, "smarm::gen_server::self");
  }

  // handle_down is called once when that actor has ended, and at once if it has. Watching an actor that
  // is watched changes nothing. Logarithmic.
  void watch(pid target) {
    static_assert(
        detail::takes_down<S>,
        "smarm: a server that watches needs a public member void handle_down(smarm::down)");
    more().watch(target);
  }
  // Afterwards nothing is heard of it. True if it was watched, and its end not handled yet.
  bool unwatch(pid target) noexcept {
    detail::server_extras* extras = detail::extras_access::find(*this);
    return extras != nullptr && extras->unwatch(target);
  }

  // handle_timer is called with the payload, once, when that time has passed.
  template <class Rep, class Period, class Payload>
  server_timer arm_after(const std::chrono::duration<Rep, Period>& delay, Payload payload) {
    check_timer<Payload>();
    return static_cast<server_timer>(
        more().arm(detail::nanoseconds_of(delay),
                   std::make_unique<detail::timer_task<S, Payload>>(std::move(payload))));
  }
  // The same again and again, with a copy each time, the first time after one period. What becomes of
  // ticks that the server was too busy for says the policy. Throws boost::system::system_error,
  // errc::invalid_config, for a period that is not positive.
  template <class Rep, class Period, class Payload>
  server_timer tick_every(const std::chrono::duration<Rep, Period>& period, Payload payload,
                          missed_tick policy = missed_tick::skip) {
    check_timer<Payload>();
    static_assert(std::is_copy_constructible_v<Payload>,
                  "smarm: each tick hands over a copy of the payload, so it must be copyable");
    const detail::tick_schedule ticks = detail::schedule_of(period, policy);
    return static_cast<server_timer>(more().tick(
        ticks, std::make_unique<detail::tick_task<S, Payload>>(std::move(payload))));
  }
  // True: it will not be handled, or not again. False: it was handled, or cancelled before. Linear in
  // the number of the server's timers.
  bool cancel(server_timer id) noexcept {
    detail::server_extras* extras = detail::extras_access::find(*this);
    return extras != nullptr && id != server_timer::none &&
           extras->cancel(static_cast<std::uint64_t>(id));
  }

  // handle_idle is called whenever nothing was handled for that long. A window that is not positive
  // ends it.
  template <class Rep, class Period>
  void idle_after(const std::chrono::duration<Rep, Period>& window) {
    static_assert(detail::takes_idle<S>,
                  "smarm: a server with an idle window needs a public member void handle_idle()");
    more().idle_after(detail::nanoseconds_of(window));
  }

  // handle_info is called with each message of that channel. Channels have priority in the order of
  // these calls; one that is closed is dropped silently.
  template <class M>
  void receive_info(receiver<M> from) {
    static_assert(
        detail::takes_info<S, M>,
        "smarm: the server has no handle_info for this channel's type of message; it needs "
        "a public member void handle_info(Message)");
    more().add_info(std::make_unique<detail::info_arm<S, M>>(std::move(from)));
  }

  // handle_reply is called with the tag and with the answer to a call that this server has made, so
  // that it need not wait for it. Answers that are there at once are handled in the order of these
  // calls. The cost of each wait grows with the number of answers that are awaited.
  template <class R, class Tag>
  void expect(pending_reply<R> answer, Tag tag) {
    expect_until(std::move(answer), std::move(tag), detail::no_deadline);
  }
  // The same, and waits no longer than that: then handle_reply gets errc::timed_out, and what comes
  // later is destroyed.
  template <class R, class Tag, class Rep, class Period>
  void expect(pending_reply<R> answer, Tag tag, const std::chrono::duration<Rep, Period>& limit) {
    expect_until(std::move(answer), std::move(tag), detail::deadline_after(limit));
  }
  template <class R, class Tag, class Clock, class Duration>
  void expect(pending_reply<R> answer, Tag tag,
              const std::chrono::time_point<Clock, Duration>& deadline) {
    expect_until(std::move(answer), std::move(tag), detail::deadline_of(deadline));
  }

  // handle_continue is called with that when the present callback has returned, before anything else:
  // for what init should not make its starter wait for.
  template <class Work>
  void continue_with(Work work) {
    static_assert(
        detail::takes_continue<S, Work>,
        "smarm: the server has no handle_continue for this; it needs a public member void "
        "handle_continue(Work)");
    more().continue_with(std::make_unique<detail::continue_task<S, Work>>(std::move(work)));
  }

  // The server ends when the present callback has returned, for that reason. Throws
  // boost::system::system_error, errc::invalid_config, for exit_kind::no_process.
  void stop(exit_reason why = exit_kind::normal) {
    detail::check_ending(why);
    more().ending = std::move(why);
  }

private:
  friend struct detail::server_loop<S>;

  [[nodiscard]] detail::server_extras& more() { return detail::extras_access::get(*this); }

  template <class R, class Tag>
  void expect_until(pending_reply<R> answer, Tag tag, std::int64_t deadline) {
    static_assert(detail::takes_reply<S, Tag, boost::system::result<R>>,
                  "smarm: the server has no handle_reply for this tag and this answer; it needs a "
                  "public member void handle_reply(Tag, boost::system::result<R>)");
    more().add_reply(std::make_unique<detail::expected_reply<S, R, Tag>>(std::move(answer),
                                                                         std::move(tag), deadline));
  }

  template <class Payload>
  static constexpr void check_timer() {
    static_assert(
        detail::takes_timer<S, Payload>,
        "smarm: the server has no handle_timer for this payload; it needs a public member "
        "void handle_timer(Payload)");
  }
};

} // namespace smarm

#include <smarm/start_server.hpp>

#endif
