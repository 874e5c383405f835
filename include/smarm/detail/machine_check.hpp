// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the compiler says of a machine's table before it runs. The conditions are named as sentences,
// since compilers print their names, with the state and the event in them.

#ifndef SMARM_DETAIL_MACHINE_CHECK_HPP
#define SMARM_DETAIL_MACHINE_CHECK_HPP

#include <smarm/detail/machine_row.hpp>
#include <smarm/detail/machine_visit.hpp>
#include <smarm/detail/machine_visit_check.hpp>
#include <smarm/reply_to.hpp>
#include <smarm/transition.hpp>

#include <type_traits>
#include <utility>

namespace smarm::detail {

// ---- a state and an event

template <class M, auto State, class Event>
struct has_a_row {
  static constexpr bool value = machine_row<M, State, Event>::kind != row_kind::missing;
};
template <class M, auto State, class Event>
struct has_one_nearest_row {
  static constexpr bool value = machine_row<M, State, Event>::kind != row_kind::ambiguous;
};
template <class M, auto State, class Event>
struct row_returns_an_outcome {
  static constexpr bool value = machine_row<M, State, Event>::kind != row_kind::no_outcome;
};

template <auto Outcome, class States>
consteval bool is_outcome_for() {
  if constexpr (std::is_same_v<decltype(Outcome), outcome>) {
    return true;
  } else if constexpr (is_postponed_until<decltype(Outcome)>) {
    return is_listed_state<Outcome.next, States>;
  } else {
    return is_listed_state<Outcome, States>;
  }
}
template <class Result, class States>
inline constexpr bool leads_to = true;
template <auto... Outcomes, class States>
inline constexpr bool leads_to<one_of<Outcomes...>, States> =
    (is_outcome_for<Outcomes, States>() && ...);
template <class M, auto State, class Event>
struct row_leads_to_declared_states {
  static constexpr bool value =
      leads_to<typename machine_row<M, State, Event>::result, states_of<M>>;
};

// The row must leave the event where it is, and can.
template <class M, class Where, class Event>
concept row_takes_a_loan = requires(M& m, const Event& event) {
  m.on(Where(), event);
};
template <class M, class Where, class Event>
concept call_row_takes_a_loan = requires(M& m, const Event& event,
                                         reply_to<typename Event::reply>& answer) {
  m.on(Where(), event, answer);
};
template <class M, class Where, class Event>
constexpr bool leaves_event() {
  if constexpr (is_call_event<Event>) {
    return call_row_takes_a_loan<M, Where, Event>;
  } else {
    return row_takes_a_loan<M, Where, Event>;
  }
}
template <class M, auto State, class Event>
struct row_that_puts_off_leaves_the_event {
  using row = machine_row<M, State, Event>;
  template <class Row>
  static consteval bool leaves() {
    if constexpr (!keeps_event<typename Row::result> || is_never_called<typename Row::result> ||
                  Row::kind == row_kind::for_any_event) {
      return true;
    } else {
      using where = std::conditional_t<Row::kind == row_kind::for_state, at<State>, any_state>;
      return leaves_event<M, where, Event>();
    }
  }
  static consteval bool check() {
    if constexpr (row::kind == row_kind::for_state &&
                  may_be<outcome::next_row, typename row::result>) {
      return leaves<row>() && leaves<wider_row<M, State, Event>>();
    } else {
      return leaves<row>();
    }
  }
  static constexpr bool value = check();
};

template <class M, auto State, class Event>
struct guarded_row_has_a_wider_one {
  using row = machine_row<M, State, Event>;
  static consteval bool check() {
    if constexpr (!may_be<outcome::next_row, typename row::result>) {
      return true;
    } else if constexpr (row::kind == row_kind::for_state) {
      using wider = wider_row<M, State, Event>;
      return is_outcome<typename wider::result> &&
             !may_be<outcome::next_row, typename wider::result> &&
             leads_to<typename wider::result, states_of<M>>;
    } else {
      return false;
    }
  }
  static constexpr bool value = check();
};

template <class M, auto State, class Event>
struct check_pair {
  static_assert(
      has_a_row<M, State, Event>::value,
      "smarm: a state has no row for an event. Write a public member  on(smarm::in<State>, "
      "Event)  or one that returns smarm::ignored.");
  static_assert(
      has_one_nearest_row<M, State, Event>::value,
      "smarm: more than one row fits a state and an event, and none is nearer (or the row "
      "is deleted). Write the row for this one state.");
  static_assert(row_returns_an_outcome<M, State, Event>::value,
                "smarm: a row returns smarm::to, one_of, stay, repeated, ignored, postponed, "
                "postponed_to or stopped.");
  static_assert(row_leads_to_declared_states<M, State, Event>::value,
                "smarm: a row leads to a state that is not one of the machine's states.");
  static_assert(row_that_puts_off_leaves_the_event<M, State, Event>::value,
                "smarm: a row that may say smarm::postpone, postpone_to or next_row must leave the event "
                "where it is: it takes it by const&, and the reply_to of a call by &.");
  static_assert(guarded_row_has_a_wider_one<M, State, Event>::value,
                "smarm: a row that may say smarm::next_row needs another for smarm::any_state or "
                "smarm::any_event that takes the event then.");
  static constexpr bool value = true;
};

// ---- an event

template <class M, class Event>
struct some_state_handles {
  static constexpr bool value = false;
};
template <class M, class Event, auto... States>
inline constexpr bool is_handled = ((machine_row<M, States, Event>::kind != row_kind::missing) ||
                                    ...);

template <class M, class Event, bool Handled, auto... States>
struct check_event {
  static constexpr bool value = (check_pair<M, States, Event>::value && ...);
};
// Once, and not once for each state.
template <class M, class Event, auto... States>
struct check_event<M, Event, false, States...> {
  static_assert(some_state_handles<M, Event>::value,
                "smarm: no state has a row for an event of the machine's events. (A row for a call "
                "takes smarm::reply_to<Event::reply> last.)");
  static constexpr bool value = true;
};

// ---- rows for what is not declared: found by arguments that become anything but what is

template <class Events>
struct undeclared_event {
  template <class T>
    requires(!is_listed_event<std::remove_cvref_t<T>, Events> &&
             !std::is_same_v<std::remove_cvref_t<T>, any_event>)
  operator T() const; // NOLINT
};
// The same, whose body names the event.
template <class Events>
struct named_undeclared_event {
  template <class T>
    requires(!is_listed_event<std::remove_cvref_t<T>, Events> &&
             !std::is_same_v<std::remove_cvref_t<T>, any_event>)
  operator T() const { // NOLINT
    static_assert(sizeof(T) == 0,
                  "smarm: there is a row for an event (T) that is not in the machine's "
                  "events.");
    __builtin_unreachable();
  }
};
template <class States>
struct undeclared_state {
  template <auto State>
    requires(!is_listed_state<State, States>)
  operator in<State>() const; // NOLINT
};
struct any_reply {
  template <class R>
  operator reply_to<R>() const; // NOLINT
};
struct any_lent_reply {
  template <class R>
  operator reply_to<R>&() const; // NOLINT
};

template <class M, class... Arguments>
inline constexpr bool finds_row = !std::is_same_v<typename ask_row<M, Arguments...>::type, no_row>;

template <class M, class Where, class Events>
constexpr bool has_row_for_undeclared_event() {
  using event = undeclared_event<Events>;
  using asked = ask_row<M, Where, event>;
  if constexpr (finds_row<M, Where, event> &&
                !std::is_same_v<typename asked::type, bad_row>) { // one: it is named
    (void)static_cast<typename asked::type (*)(row_probe<M>&)>(
        [](row_probe<M>& m) { return m.on(Where(), named_undeclared_event<Events>()); });
  }
  return finds_row<M, Where, event> || finds_row<M, Where, event, any_reply> ||
         finds_row<M, Where, event, any_lent_reply>;
}
template <class M, class Event>
constexpr bool has_row_for_undeclared_state() {
  using where = undeclared_state<states_of<M>>;
  if constexpr (is_call_event<Event>) {
    return finds_row<M, where, event_argument<Event>, any_reply> ||
           finds_row<M, where, event_argument<Event>, any_lent_reply>;
  } else {
    return finds_row<M, where, event_argument<Event>>;
  }
}

template <class M, auto State>
struct check_state {
  static_assert(!has_row_for_undeclared_event<M, at<State>, typename M::events>(),
                "smarm: a state has a row for an event that is not in the machine's events.");
  static_assert(std::is_same_v<std::remove_cv_t<decltype(State)>, typename M::state_type>,
                "smarm: the machine's states are of the type that it gives to smarm::gen_statem.");
  static constexpr bool value = true;
};

// ---- the machine

struct has_on_too {
  int on;
};
template <class M>
concept names_on = !requires {
  &named_twice<M, has_on_too>::on;
};

template <class M>
concept lists_events = requires {
  typename M::events;
};

// Also of one that is private: it would not count.
struct has_initial_too {
  int initial;
};
template <class M>
concept names_initial = !requires {
  &named_twice<M, has_initial_too>::initial;
};
template <class M>
struct begins_in_a_declared_state {
  static consteval bool check() {
    if constexpr (says_initial<M>) {
      return is_listed_state<static_cast<typename M::state_type>(M::initial), states_of<M>>;
    } else {
      return true;
    }
  }
  static constexpr bool value = check();
};

template <class M, class States, class Events>
struct check_rows;
template <class M, auto... States, class... Events>
struct check_rows<M, states<States...>, events<Events...>> {
  static_assert(sizeof...(States) != 0, "smarm: a machine has at least one state.");
  static constexpr bool value =
      (check_event<M, Events, is_handled<M, Events, States...>, States...>::value && ...) &&
      (check_state<M, States>::value && ...);
  static_assert(
      !has_row_for_undeclared_event<M, any_state, events<Events...>>(),
      "smarm: there is a row for smarm::any_state and an event that is not in the machine's "
      "events.");
  static_assert((!has_row_for_undeclared_state<M, Events>() && ...),
                "smarm: there is a row for a state that is not one of the machine's states.");
  static_assert(says_initial<M> || !names_initial<M>,
                "smarm: the machine's initial does not count; it is a public member  static constexpr "
                "State initial = ...;");
  static_assert(begins_in_a_declared_state<M>::value,
                "smarm: the machine's initial is not one of its states.");
  static_assert(check_visits<M>(states<States...>()));
};

template <class M>
struct check_machine {
  static_assert(!std::is_final_v<M>, "smarm: a machine's class cannot be final.");
  static_assert(lists_events<M>,
                "smarm: a machine says what it handles:  using events = smarm::events<...>;");
  static_assert(names_on<M>, "smarm: a machine has rows, which are public members called on.");
  static consteval bool check() {
    if constexpr (!std::is_final_v<M> && lists_events<M> && names_on<M>) {
      return check_rows<M, states_of<M>, typename M::events>::value;
    } else {
      return false;
    }
  }
  static constexpr bool value = check();
};

} // namespace smarm::detail

namespace smarm {

// What start_server asks of a machine's class, for those who want to hear it earlier:
// static_assert(smarm::complete_machine<door>); Each fault is a compile error of its own.
template <class M>
concept complete_machine = detail::check_machine<M>::value;

} // namespace smarm

#endif
