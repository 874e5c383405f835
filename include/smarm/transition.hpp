// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The words that the rows of a state machine are written in. A row is a member function called on: its
// parameters say in which state it is asked about which event, its result says what may become of it.
//
//     smarm::to<closed>             on(smarm::in<open>, push);
//     smarm::one_of<closed, locked> on(smarm::in<locked>, unlock u);
//     smarm::ignored                on(smarm::in<open, closed>, unlock);
//     smarm::postponed              on(smarm::in<locked>, push);
//     smarm::postponed_to<closed>   on(smarm::in<open>, const lock&);
//     smarm::stay                   on(smarm::any_state, get, smarm::reply_to<int> r);
//
// Of the rows that fit the nearest counts: one state, then several states, then any_state or any_event.

#ifndef SMARM_TRANSITION_HPP
#define SMARM_TRANSITION_HPP

#include <smarm/exit_reason.hpp>

#include <cstddef>
#include <type_traits>

namespace smarm {

// What a machine says of itself: using events = smarm::events<push, lock, unlock>;
template <class... Events>
struct events {};
// Likewise, for states that BOOST_DESCRIBE_ENUM does not tell of, or a part of them:
// using states = smarm::states<open, closed>;
template <auto... States>
struct states {};

// ---- where and what

// The state that a row is for. With several, state() is the one that the machine is in.
template <auto... States>
struct in;
template <auto State>
struct in<State> {
  [[nodiscard]] static constexpr auto state() noexcept { return State; }
};

// Every state, every event, as far as no nearer row says otherwise. A row for any_event is not given
// the event; a call that it gets is answered errc::server_down unless it is postponed.
struct any_state {};
struct any_event {};

// ---- what becomes of an event

enum class outcome : unsigned char {
  keep,     // it was handled, and the state stays as it is
  repeat,   // the same, and exit and enter are called; the state's data and timeout stay as they are
  ignore,   // it is thrown away
  postpone, // it is kept, and handled again when the state has changed
  stop,     // the machine ends
  next_row  // this row's guard says no: the row for any_state or any_event is asked
};
using enum outcome;

} // namespace smarm

namespace smarm::detail {

template <auto A, auto B>
inline constexpr bool is_same_value = false;
template <auto A>
inline constexpr bool is_same_value<A, A> = true;

// What a row is called with: its base is the row for that state alone, which is nearer than a row for
// several, to which it converts.
template <auto State>
struct at : in<State> {};

// An outcome: the state changes to that one, and the event is handled again in it.
template <class State>
struct postponed_until {
  State next;
  friend constexpr bool operator==(const postponed_until&, const postponed_until&) = default;
};
template <class Outcome>
inline constexpr bool is_postponed_until = false;
template <class State>
inline constexpr bool is_postponed_until<postponed_until<State>> = true;
template <class State>
inline constexpr bool is_postponed_until<const postponed_until<State>> = true;

// How a machine's `return stop(reason)` is written; the reason is the machine's.
struct stop_for_a_reason {};

// Not constexpr: the compiler names it where a row returns what its result does not list.
template <class Chosen>
void this_target_is_not_in_the_rows_declared_set(Chosen) {}

} // namespace smarm::detail

namespace smarm {

// The state changes to that one, and the event is handled again in it, after what was postponed before.
// Said in that state itself it is the same as postpone.
template <auto State>
inline constexpr detail::postponed_until<std::remove_const_t<decltype(State)>> postpone_to{State};

template <auto First, auto Second, auto... Rest>
struct in<First, Second, Rest...> {
  template <auto State>
    requires(detail::is_same_value<State, First> || detail::is_same_value<State, Second> ||
             (detail::is_same_value<State, Rest> || ...))
  constexpr in(detail::at<State>) noexcept // NOLINT: it is one of them
      : value_(static_cast<number>(State)) {}
  [[nodiscard]] constexpr auto state() const noexcept {
    return static_cast<decltype(First)>(value_);
  }

private:
  using number = std::underlying_type_t<decltype(First)>;
  number value_;
};

// The result of a row: states that it may lead to, and outcomes. A state that the machine is in already
// is the same as keep. The body returns one of them, written out as a constant, so that another is a
// compile error; or {} where there is but one.
template <auto... Outcomes>
class [[nodiscard]] one_of {
  static_assert(sizeof...(Outcomes) != 0, "smarm: a row has at least one outcome");

public:
  constexpr one_of() noexcept requires(sizeof...(Outcomes) == 1) = default;
  template <class Chosen>
    requires(std::is_same_v<Chosen, std::remove_const_t<decltype(Outcomes)>> || ...)
  consteval one_of(Chosen chosen) : index_(index_of(chosen)) {} // NOLINT: return closed;
  // return stop(why);
  constexpr one_of(detail::stop_for_a_reason) noexcept // NOLINT
      requires(detail::is_same_value<Outcomes, outcome::stop> || ...)
      : index_(index_of(outcome::stop)) {}

  // Which of them it is.
  [[nodiscard]] constexpr std::size_t index() const noexcept { return index_; }

private:
  template <class Chosen>
  static constexpr std::size_t index_of(Chosen chosen) {
    std::size_t found = sizeof...(Outcomes);
    std::size_t i = 0;
    const auto look = [&](auto each) {
      if constexpr (std::is_same_v<decltype(each), Chosen>) {
        if (each == chosen) {
          found = i;
        }
      }
      ++i;
    };
    (look(Outcomes), ...);
    if (found == sizeof...(Outcomes)) {
      detail::this_target_is_not_in_the_rows_declared_set(chosen);
    }
    return found;
  }

  std::size_t index_ = 0;
};

template <auto State>
using to = one_of<State>;
using stay = one_of<outcome::keep>;
using repeated = one_of<outcome::repeat>;
// Rows of these two are never called, and need no body.
using ignored = one_of<outcome::ignore>;
using postponed = one_of<outcome::postpone>;
using stopped = one_of<outcome::stop>;
// Is called, as to<State> is.
template <auto State>
using postponed_to = one_of<postpone_to<State>>;

} // namespace smarm

#endif
