// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A state machine: a server whose answer depends on the state that it is in. Its table is written as
// rows, one member function called on for a state and an event, and is checked by the compiler: a pair
// that was forgotten, a row that is there twice, and a way to a state that the row does not list are
// errors that say so.
//
//     BOOST_DEFINE_ENUM_CLASS(door_state, open, closed, locked)
//
//     class door : public smarm::gen_statem<door, door_state> {
//       using enum door_state;
//     public:
//       struct push {};
//       struct lock {};
//       struct unlock { int key; };
//       using events = smarm::events<push, lock, unlock>;
//
//       smarm::to<closed>             on(smarm::in<open>, push) { return {}; }
//       smarm::to<open>               on(smarm::in<closed>, push) { return {}; }
//       smarm::ignored                on(smarm::in<locked>, push);   // no body: it is never called
//       smarm::to<locked>             on(smarm::in<closed>, lock) { return {}; }
//       smarm::ignored                on(smarm::any_state, lock);
//       smarm::one_of<closed, locked> on(smarm::in<locked>, unlock u);
//       smarm::ignored                on(smarm::any_state, unlock);
//     };
//     auto d = smarm::start_server<door>().value();
//     (void)d.cast(door::push{});
//
// It is started, named, called, cast to and looked at as a gen_server is. An event that is called says
// by `using reply = T;` what it is answered with, and its rows take a smarm::reply_to<T> last.
// smarm::down is the event of a watched actor's end.
//
// Other members, all public and optional:
//   void enter(in<S>), or void enter(in<S>, State from)   when the state is entered, also the first
//   void exit(in<S>), or void exit(in<S>, State next)     when it is left
//   void init(), or init_result init()                    before the first state is entered
//   void terminate(const exit_reason&)                    at every ending
//   void describe(std::ostream&) const                    for reports of a failure, and for sys::state
//   using state_data = ...                                see state_data.hpp
//
// A machine begins in the first of its states, or in `static constexpr State initial`, or as its
// constructor says. The order of events is that of OTP's gen_statem: what rows have told the machine by
// next_event; what was postponed, once the state has changed; timeouts of no time; then downs, requests
// of sys, timeouts, infos in the order of their declaration, calls and casts; and the event timeout if
// there is nothing else. A row that throws ends the machine as a failure.

#ifndef SMARM_GEN_STATEM_HPP
#define SMARM_GEN_STATEM_HPP

#include <smarm/channel.hpp>
#include <smarm/detail/machine_duties.hpp>
#include <smarm/detail/machine_info.hpp>
#include <smarm/detail/server_extras.hpp>
#include <smarm/detail/server_loop.hpp>
#include <smarm/detail/server_self.hpp>
#include <smarm/detail/wait.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/init_result.hpp>
#include <smarm/pid.hpp>
#include <smarm/reply_to.hpp>
#include <smarm/server_ref.hpp>
#include <smarm/state_data.hpp>
#include <smarm/transition.hpp>

#include <chrono>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace smarm {

// The members below are for the rows and the other callbacks of M. They neither suspend nor are stop
// points, and throw std::bad_alloc unless they are noexcept. What they set up belongs to the machine,
// ends with it, and does not keep it alive.
template <class M, class State>
class gen_statem : public detail::machine_base {
  static_assert(std::is_enum_v<State>, "smarm: the states of a machine are the values of an enum");

public:
  using state_type = State;

  gen_statem(const gen_statem&) = delete;
  gen_statem& operator=(const gen_statem&) = delete;

  // The state that it is in: while exit runs the one that is left.
  [[nodiscard]] State state() const noexcept { return state_; }

protected:
  // Begins in M's `static constexpr State initial` if it has one, else in the first of its states.
  gen_statem() noexcept : state_(detail::initial_state<M>()) {}
  explicit gen_statem(State first) noexcept : state_(first) {}
  ~gen_statem() = default;

  // As those of gen_server.
  [[nodiscard]] server_ref<M> self() const {
    return detail::ref_of_self<M>(*this, "smarm::gen_statem::self");
  }
  void watch(pid target) {
    static_assert(
        detail::takes_event<M, down>,
        "smarm: a machine that watches handles smarm::down; list it in its  using events = "
        "smarm::events<...>");
    more().watch(target);
  }
  bool unwatch(pid target) noexcept {
    detail::server_extras* const extras = detail::extras_access::find(*this);
    return extras != nullptr && extras->unwatch(target);
  }
  // The messages of that channel are events.
  template <class Event>
  void receive_info(receiver<Event> from) {
    check_event<Event>();
    more().add_info(std::make_unique<detail::machine_info_arm<M, Event>>(std::move(from)));
  }

  // The machine handles that after the present event, before anything else. Several are handled in the
  // order of these calls, before what was told earlier. Also for enter, exit and init.
  template <class Event>
  void next_event(Event event) {
    check_event<Event>();
    detail::machine_part& part = detail::machine_access::get(*this);
    part.agenda.tell(detail::make_event<M, sys::event_kind::internal>(std::move(event)));
  }

  // ---- timeouts. Each brings an event, when that time has passed or at that time. One that is set
  // again is replaced. A delay that is not positive comes before anything from outside, after what the
  // machine has told itself. None comes after it was cancelled, or replaced, or has ended.

  // Ends when the state changes; one that is set by the row that changes it, or by exit or enter, is the
  // new state's.
  template <class Time, class Event>
  void state_timeout(const Time& when, Event event) {
    set_timeout(when, std::move(event), [](auto& timeouts, std::int64_t at, auto& node) {
      timeouts.set_state_timeout(at, node);
    });
  }
  // Ends with the next event, of whatever kind.
  template <class Time, class Event>
  void event_timeout(const Time& when, Event event) {
    set_timeout(when, std::move(event), [](auto& timeouts, std::int64_t at, auto& node) {
      timeouts.set_event_timeout(at, node);
    });
  }
  // Ends when it is cancelled. Logarithmic in the number of those that are set.
  template <class Time, class Event>
  void timeout(std::string_view name, const Time& when, Event event) {
    set_timeout(when, std::move(event), [&](auto& timeouts, std::int64_t at, auto& node) {
      timeouts.set_named(name, at, node);
    });
  }

  // The timeout brings that event instead, at its time; if none is set at once. A change of the state ends
  // the old state's timeout first, so an update by the row that changes it, or by exit, finds none.
  template <class Event>
  void update_state_timeout(Event event) {
    set_timeout(
        std::chrono::nanoseconds(0), std::move(event),
        [](auto& timeouts, std::int64_t, auto& node) { timeouts.update_state_timeout(node); });
  }
  template <class Event>
  void update_event_timeout(Event event) {
    set_timeout(
        std::chrono::nanoseconds(0), std::move(event),
        [](auto& timeouts, std::int64_t, auto& node) { timeouts.update_event_timeout(node); });
  }
  template <class Event>
  void update_timeout(std::string_view name, Event event) {
    set_timeout(
        std::chrono::nanoseconds(0), std::move(event),
        [&](auto& timeouts, std::int64_t, auto& node) { timeouts.update_named(name, node); });
  }

  // True: it was set, and will not come.
  bool cancel_state_timeout() noexcept {
    detail::machine_part* const part = detail::machine_access::find(*this);
    return part != nullptr && part->agenda.timeouts().cancel_state_timeout();
  }
  bool cancel_event_timeout() noexcept {
    detail::machine_part* const part = detail::machine_access::find(*this);
    return part != nullptr && part->agenda.timeouts().cancel_event_timeout();
  }
  bool cancel_timeout(std::string_view name) noexcept {
    detail::machine_part* const part = detail::machine_access::find(*this);
    return part != nullptr && part->agenda.timeouts().cancel_named(name);
  }

  // ---- data per state, see state_data.hpp

  // The data of the state that the machine is in. Throws boost::system::system_error,
  // errc::wrong_state, if it is another one.
  template <auto S>
  [[nodiscard]] auto& data(in<S>) {
    return stored().template get<S>();
  }
  // The data of the state that the present row is about to lead to. It is destroyed if the row leads
  // somewhere else.
  template <auto S>
  auto& prepare(in<S>) {
    return stored().template prepare<S>();
  }

  // The machine ends for that reason when the present row or callback has returned. A row says
  // `return stop(why);`. Throws boost::system::system_error, errc::invalid_config, for
  // exit_kind::no_process.
  detail::stop_for_a_reason stop(exit_reason why) {
    detail::check_ending(why);
    more().ending = std::move(why);
    return {};
  }

private:
  friend struct detail::machine_access;

  [[nodiscard]] auto& stored() {
    const detail::machine_part* const part = detail::machine_access::find(*this);
    if (part == nullptr || part->data == nullptr) { // constructors and destructors
      detail::throw_no_state_data();
    }
    return detail::machine_step<M>::store(static_cast<M&>(*this));
  }
  [[nodiscard]] detail::server_extras& more() { return detail::extras_access::get(*this); }

  template <class Event>
  static constexpr void check_event() {
    static_assert(detail::takes_event<M, Event>,
                  "smarm: the machine does not handle this; list it in its  using events = "
                  "smarm::events<...>, and write its rows");
    static_assert(!detail::is_call_event<Event>,
                  "smarm: an event that has a member type reply can only be called");
  }

  // The event is made first, and goes if the timeout cannot be set.
  template <class Time, class Event, class Set>
  void set_timeout(const Time& when, Event&& event, Set set) {
    check_event<Event>();
    (void)more(); // what wakes the machine
    detail::machine_part& part = detail::machine_access::get(*this);
    const std::int64_t at = part.deadline(when);
    detail::request_node& node =
        detail::make_event<M, sys::event_kind::timer>(std::forward<Event>(event));
    try {
      set(part.agenda.timeouts(), at, node);
    } catch (...) {
      detail::machine_part::free(node);
      throw;
    }
  }

  State state_;
};

} // namespace smarm

#include <smarm/start_server.hpp>

#endif
