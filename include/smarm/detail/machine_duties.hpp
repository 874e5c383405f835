// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the life of a server asks of a machine, and how it is told things: see server_duties.hpp and
// server_request.hpp, where the same is said of a gen_server.

#ifndef SMARM_DETAIL_MACHINE_DUTIES_HPP
#define SMARM_DETAIL_MACHINE_DUTIES_HPP

#include <smarm/detail/machine_check.hpp>
#include <smarm/detail/machine_event.hpp>
#include <smarm/detail/machine_part.hpp>
#include <smarm/detail/machine_row.hpp>
#include <smarm/detail/machine_step.hpp>
#include <smarm/detail/server_duties.hpp>
#include <smarm/detail/server_request.hpp>
#include <smarm/detail/static_name.hpp>
#include <smarm/down.hpp>
#include <smarm/init_result.hpp>
#include <smarm/sys_event.hpp>

#include <boost/system/system_error.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace smarm::detail {

template <class M, class Event>
inline constexpr bool takes_event = is_listed_event<Event, typename M::events>;

template <machine_class M>
struct server_protocol<M> {
  template <class Event>
  struct reply_of_event {
    using type = void; // after the message
  };
  template <is_call_event Event>
  struct reply_of_event<Event> {
    using type = typename Event::reply;
  };

  template <class Event>
  using reply = typename reply_of_event<Event>::type;
  template <class Event>
  static constexpr bool takes_call = is_call_event<Event>&& takes_event<M, Event>;
  template <class Event>
  static constexpr bool takes_cast = !is_call_event<Event> && takes_event<M, Event>;
  template <class Event>
  using call_node = machine_call_node<M, Event>;
  template <class Event>
  using cast_node = event_node<M, Event, sys::event_kind::cast>;

  template <class Event>
  static constexpr void check_call() {
    static_assert(takes_event<M, Event>, "smarm: the machine does not handle this; list it in its "
                                         "using events = smarm::events<...>, and write its rows");
    static_assert(is_call_event<Event>, "smarm: an event that is called says what it is answered "
                                        "with, by a member  using reply = ...");
  }
  template <class Event>
  static constexpr void check_cast() {
    static_assert(takes_event<M, Event>, "smarm: the machine does not handle this; list it in its "
                                         "using events = smarm::events<...>, and write its rows");
    static_assert(!is_call_event<Event>,
                  "smarm: an event that has a member type reply is called, and "
                  "not cast");
  }
};

template <class M, auto... States>
[[nodiscard]] std::string_view state_name(const M& m, states<States...>) noexcept {
  std::string_view name;
  (void)((m.state() == States ? (name = value_name<States>(), true) : false) || ...);
  return name;
}

// The state's name, and what the machine's own describe writes.
template <class M>
void describe_machine(const server_core& core, std::ostream& out) {
  const M& m = static_cast<const typed_server_core<M>&>(core).object;
  out << state_name(m, states_of<M>());
  if constexpr (describes<M>) {
    out << ": ";
    m.describe(out);
  }
}

template <machine_class M>
struct server_duties<M> {
  using core_type = typed_server_core<M>;

  static constexpr void check_class() {
    static_assert(
        std::is_convertible_v<M*, gen_statem<M, typename M::state_type>*>,
        "smarm: a machine's class derives publicly from smarm::gen_statem of itself, as in "
        "class door : public smarm::gen_statem<door, door_state>");
    static_assert(check_machine<M>::value);
  }
  [[nodiscard]] static constexpr server_type type() noexcept {
    return {&typeid(M), behaviour_kind::gen_statem, &describe_machine<M>, &count_postponed};
  }

  [[nodiscard]] static init_result begin(M& m) {
    if (!machine_step<M>::begins_in_its_states(m)) {
      throw boost::system::system_error(
          make_error_code(errc::wrong_state),
          "smarm::gen_statem: it begins in a state that is none of its "
          "own");
    }
    if constexpr (has_state_data<M>) {
      machine_step<M>::make_store(m);
    }
    init_result init = call_init(m);
    if (init.what() == init_result::verdict::ok) {
      machine_step<M>::begin(m);
    }
    return init;
  }

  [[nodiscard]] static bool has_more(const M& m) noexcept {
    const machine_part* const part = machine_access::find(m);
    return (part != nullptr && part->agenda.has_next()) || ends(m);
  }
  [[nodiscard]] static bool ends(const M& m) noexcept { return machine_access::stopping(m); }

  static bool dispatch_first(core_type& core) {
    machine_part* const part = machine_access::find(core.object);
    if (part == nullptr) {
      return false;
    }
    if (request_node* const told = part->agenda.take_ready()) {
      const request_info what = told->resolve(told, &core, request_step::identify);
      const bool is_new = what.kind == sys::event_kind::internal &&
                          !static_cast<const internal_event*>(told)->was_postponed;
      handle(core, *told, what, is_new ? sys::event_stage::received : sys::event_stage::retried);
      return true;
    }
    return handle_timeout(core, part->agenda.take_immediate());
  }
  static bool dispatch_due(core_type& core) {
    machine_part* const part = machine_access::find(core.object);
    return part != nullptr && part->agenda.deadline() != no_deadline &&
           handle_timeout(core, part->agenda.take_due(part->clock()));
  }
  static bool dispatch_last(core_type& core) {
    machine_part* const part = machine_access::find(core.object);
    return part != nullptr && part->agenda.deadline() != no_deadline &&
           handle_timeout(core, part->agenda.take_event_timeout(part->clock()));
  }
  [[nodiscard]] static std::int64_t deadline(const M& m) noexcept {
    const machine_part* const part = machine_access::find(m);
    return part != nullptr ? part->agenda.deadline() : no_deadline;
  }

  static void hand_down(server_core& core, down what) {
    if constexpr (takes_event<M, down>) {
      handle_event<M, sys::event_kind::down>(core, what);
    } else {
      (void)core, (void)what; // it watches nobody
    }
  }

  static std::size_t refuse_all(M& m) noexcept {
    machine_part* const part = machine_access::find(m);
    return part == nullptr ? 0 : part->agenda.refuse_all([](request_node& event) {
      const bool queued =
          event.resolve(&event, nullptr, request_step::identify).kind != sys::event_kind::internal;
      event.resolve(&event, nullptr, request_step::refuse);
      return std::size_t{queued};
    });
  }

  static void drop_kept(M& m) noexcept { machine_access::drop(m); }

private:
  static std::size_t count_postponed(const server_core& core) {
    const machine_part* const part =
        machine_access::find(static_cast<const core_type&>(core).object);
    return part != nullptr ? part->agenda.postponed() : 0;
  }

  static void handle(core_type& core, request_node& event, const request_info& what,
                     sys::event_stage as) {
    handle_seen(
        core, what, [&] { return event.resolve(&event, &core, request_step::handle); }, as);
  }
  static bool handle_timeout(core_type& core, request_node* event) {
    if (event == nullptr) {
      return false;
    }
    handle(core, *event, event->resolve(event, &core, request_step::identify),
           sys::event_stage::received);
    return true;
  }
};

} // namespace smarm::detail

#endif
