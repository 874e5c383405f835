// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Which row of a machine is for a state and an event: found by overload resolution, once for each pair.

#ifndef SMARM_DETAIL_MACHINE_ROW_HPP
#define SMARM_DETAIL_MACHINE_ROW_HPP

#include <smarm/reply_to.hpp>
#include <smarm/transition.hpp>

#include <boost/describe/enumerators.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace smarm::detail {

// An event that is a call says what it is answered with.
template <class Event>
concept is_call_event = requires {
  typename Event::reply;
};

// ---- the states and the events

template <class List>
struct as_states;
template <template <class...> class List, class... Described>
struct as_states<List<Described...>> {
  using type = states<Described::value...>;
};

template <class M>
concept lists_states = requires {
  typename M::states;
};

template <class M>
struct find_states {
  static_assert(boost::describe::has_describe_enumerators<typename M::state_type>::value,
                "smarm: the states of this machine are not known. Write BOOST_DESCRIBE_ENUM(State, "
                "...) after the enum, or  using states = smarm::states<...>;  in the machine.");
  using type = states<>;
};
template <class M>
  requires(!lists_states<M> &&
           boost::describe::has_describe_enumerators<typename M::state_type>::value)
struct find_states<M> {
  using type =
      typename as_states<boost::describe::describe_enumerators<typename M::state_type>>::type;
};
template <lists_states M>
struct find_states<M> {
  using type = typename M::states;
};
template <class M>
using states_of = typename find_states<M>::type;

template <auto State, class List>
inline constexpr bool is_listed_state = false;
template <auto State, auto... States>
inline constexpr bool is_listed_state<State, states<States...>> = (is_same_value<State, States> ||
                                                                   ...);
template <class Event, class List>
inline constexpr bool is_listed_event = false;
template <class Event, class... Events>
inline constexpr bool is_listed_event<Event, events<Events...>> = (std::is_same_v<Event, Events> ||
                                                                   ...);

template <class M>
concept says_initial = requires {
  { M::initial } -> std::convertible_to<typename M::state_type>;
};
template <class List>
struct first_listed;
template <auto First, auto... Rest>
struct first_listed<states<First, Rest...>> {
  static constexpr auto value = First;
};
template <class M>
[[nodiscard]] constexpr auto initial_state() noexcept {
  if constexpr (says_initial<M>) {
    return M::initial;
  } else {
    return first_listed<states_of<M>>::value;
  }
}

// ---- asking for a row

// Wins where no row fits, so that no row and two rows look different.
struct no_row {};
// The call is ill-formed: two rows fit, or one that is deleted.
struct bad_row {};

template <class M>
struct row_probe : M {
  using M::on;
  no_row on(...) const; // so that a row may be const
};

// Become that and nothing else: with the event itself a row for something that can be made of it would
// serve it, too.
template <class Event>
struct event_argument {
  operator Event&&() const noexcept; // NOLINT
};
template <class R>
struct reply_argument {
  operator reply_to<R>() const noexcept; // NOLINT
};
// For rows that may put the call off, and leave the reply_to where it is.
template <class R>
struct reply_lent {
  operator reply_to<R>&() const noexcept; // NOLINT
};

template <class M, class... Arguments>
struct ask_row {
  using type = bad_row;
};
template <class M, class... Arguments>
  requires requires(row_probe<M>& machine) { machine.on(std::declval<Arguments>()...); }
struct ask_row<M, Arguments...> {
  using type = decltype(std::declval<row_probe<M>&>().on(std::declval<Arguments>()...));
};

template <class M, class Where, class Event>
struct ask_event_row : ask_row<M, Where, event_argument<Event>> {
  static constexpr bool lends_reply = false;
};
template <class M, class Where, class Event, class Given>
struct ask_call_row {
  using type = Given;
  static constexpr bool lends_reply = false;
};
template <class M, class Where, class Event>
struct ask_call_row<M, Where, Event, no_row>
    : ask_row<M, Where, event_argument<Event>, reply_lent<typename Event::reply>> {
  static constexpr bool lends_reply = true;
};
template <class M, class Where, is_call_event Event>
struct ask_event_row<M, Where, Event>
    : ask_call_row<M, Where, Event,
                   typename ask_row<M, Where, event_argument<Event>,
                                    reply_argument<typename Event::reply>>::type> {};

template <class Result>
inline constexpr bool is_outcome = false;
template <auto... Outcomes>
inline constexpr bool is_outcome<one_of<Outcomes...>> = true;

// ---- the row

enum class row_kind : unsigned char {
  missing,
  for_state, // one, or several
  for_any_state,
  for_any_event,
  ambiguous,
  no_outcome // it returns something else
};

template <row_kind Kind, class Asked>
constexpr row_kind kind_if_outcome = is_outcome<Asked> ? Kind : row_kind::no_outcome;

// What a row may pass an event on to, and what there is if no row is for the state.
template <class M, auto State, class Event>
struct wider_row {
  using by_event = ask_event_row<M, any_state, Event>;
  using by_state = ask_row<M, at<State>, any_event>;

  static consteval row_kind find() {
    constexpr bool in_any_state = !std::is_same_v<typename by_event::type, no_row>;
    constexpr bool of_any_event = !std::is_same_v<typename by_state::type, no_row>;
    if (std::is_same_v<typename by_event::type, bad_row> ||
        std::is_same_v<typename by_state::type, bad_row> || (in_any_state && of_any_event)) {
      return row_kind::ambiguous;
    }
    return in_any_state   ? kind_if_outcome<row_kind::for_any_state, typename by_event::type>
           : of_any_event ? kind_if_outcome<row_kind::for_any_event, typename by_state::type>
                          : row_kind::missing;
  }
  static constexpr row_kind kind = find();
  static constexpr bool lends_reply = kind == row_kind::for_any_state && by_event::lends_reply;
  using result = std::conditional_t<
      kind == row_kind::for_any_state, typename by_event::type,
      std::conditional_t<kind == row_kind::for_any_event, typename by_state::type, no_row>>;
};

template <class M, auto State, class Event>
struct machine_row {
  using nearest = ask_event_row<M, at<State>, Event>;

  static consteval row_kind find() {
    if constexpr (std::is_same_v<typename nearest::type, bad_row>) {
      return row_kind::ambiguous;
    } else if constexpr (!std::is_same_v<typename nearest::type, no_row>) {
      return kind_if_outcome<row_kind::for_state, typename nearest::type>;
    } else {
      return wider_row<M, State, Event>::kind;
    }
  }
  static constexpr row_kind kind = find();

  static consteval bool lends() {
    if constexpr (kind == row_kind::for_state) {
      return nearest::lends_reply;
    } else {
      return wider_row<M, State, Event>::lends_reply;
    }
  }
  static constexpr bool lends_reply = lends();

  template <bool Nearest, class = void>
  struct choose {
    using type = typename nearest::type;
  };
  template <class Unused>
  struct choose<false, Unused> {
    using type = typename wider_row<M, State, Event>::result;
  };
  using result = typename choose<kind == row_kind::for_state>::type;
};

// ---- what a result says

template <auto Outcome, class Result>
inline constexpr bool may_be = false;
template <auto Outcome, auto... Outcomes>
inline constexpr bool may_be<Outcome, one_of<Outcomes...>> = (is_same_value<Outcome, Outcomes> ||
                                                              ...);

template <class Result>
inline constexpr bool is_never_called =
    std::is_same_v<Result, ignored> || std::is_same_v<Result, postponed>;
template <class Result>
inline constexpr bool may_be_postponed_to = false;
template <auto... Outcomes>
inline constexpr bool may_be_postponed_to<one_of<Outcomes...>> =
    (is_postponed_until<decltype(Outcomes)> || ...);
// The event must survive the row.
template <class Result>
inline constexpr bool keeps_event = may_be<outcome::postpone, Result> ||
                                    may_be<outcome::next_row, Result> ||
                                    may_be_postponed_to<Result>;

} // namespace smarm::detail

#endif
