// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the compiler says of a machine's enter and exit before it runs. Nothing else would tell: they are
// found by what they can be called with, so that one that cannot be called looks as if there were none.

#ifndef SMARM_DETAIL_MACHINE_VISIT_CHECK_HPP
#define SMARM_DETAIL_MACHINE_VISIT_CHECK_HPP

#include <smarm/detail/machine_row.hpp>
#include <smarm/detail/machine_visit.hpp>
#include <smarm/transition.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace smarm::detail {

// ---- asking

template <class M>
struct enter_calls {
  using machine = M;
  template <class... Arguments>
  using result = decltype(std::declval<enter_probe<M>&>().enter(std::declval<Arguments>()...));
};
template <class M>
struct exit_calls {
  using machine = M;
  template <class... Arguments>
  using result = decltype(std::declval<exit_probe<M>&>().exit(std::declval<Arguments>()...));
};

enum class visit_answer : std::uint8_t { none, several, returns_nothing, returns_something };

template <class Visit, class... Arguments>
consteval visit_answer ask_visit() {
  if constexpr (!requires { typename Visit::template result<Arguments...>; }) {
    return visit_answer::several;
  } else {
    using result = typename Visit::template result<Arguments...>;
    return std::is_same_v<result, no_visit> ? visit_answer::none
           : std::is_void_v<result>         ? visit_answer::returns_nothing
                                            : visit_answer::returns_something;
  }
}
template <class Visit, class... Arguments>
inline constexpr bool is_visited = ask_visit<Visit, Arguments...>() != visit_answer::none;
template <class Visit, class... Arguments>
inline constexpr bool is_visited_once = ask_visit<Visit, Arguments...>() != visit_answer::several;
template <class Visit, class... Arguments>
inline constexpr bool is_visited_for_nothing =
    ask_visit<Visit, Arguments...>() != visit_answer::returns_something;

// ---- arguments that become anything but what is passed

template <class T, class States>
inline constexpr bool is_where = std::is_same_v<T, any_state>;
template <auto... Some, class States>
inline constexpr bool is_where<in<Some...>, States> = (is_listed_state<Some, States> && ...);

template <class States>
struct no_where {
  template <class T>
    requires(!is_where<std::remove_cvref_t<T>, States>)
  operator T() const; // NOLINT
};
template <class State>
struct no_state {
  template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, State>)
  operator T() const; // NOLINT
};
struct whatever {
  template <class T>
  operator T() const; // NOLINT
};
// Is taken by a template that takes everything, which is one that can be called.
struct unheard_of {};

template <class Visit, class States>
constexpr bool takes_something_else() {
  using state_type = typename Visit::machine::state_type;
  using where = no_where<States>;
  using state = no_state<state_type>;
  return (is_visited<Visit> && !is_visited<Visit, unheard_of>) ||
         (is_visited<Visit, where> && !is_visited<Visit, unheard_of>) ||
         (is_visited<Visit, where, whatever> && !is_visited<Visit, unheard_of, whatever>) ||
         (is_visited<Visit, any_state, state> && !is_visited<Visit, any_state, unheard_of>) ||
         (is_visited<Visit, whatever, whatever, whatever> &&
          !is_visited<Visit, unheard_of, unheard_of, unheard_of>);
}
// By lvalue reference, too: it is not passed so.
template <class Visit, auto State>
constexpr bool takes_something_else_in() {
  using state_type = typename Visit::machine::state_type;
  using where = at<State>;
  return (is_visited<Visit, where, no_state<state_type>> &&
          !is_visited<Visit, where, unheard_of>) ||
         (is_visited<Visit, where, state_type&> && !is_visited<Visit, where, state_type>) ||
         (is_visited<Visit, where&> && !is_visited<Visit, where>);
}

// ---- one state

template <class Visit, class Where>
inline constexpr bool is_visited_twice =
    is_visited<Visit, Where>&& is_visited<Visit, Where, typename Visit::machine::state_type>;

template <class Visit, auto State>
struct visit_is_clear {
  using state_type = typename Visit::machine::state_type;
  static constexpr bool has_own =
      is_visited<Visit, in<State>> || is_visited<Visit, in<State>, state_type>;
  static constexpr bool value =
      is_visited_once<Visit, at<State>> && is_visited_once<Visit, at<State>, state_type> &&
      !is_visited_twice<Visit, in<State>> && (has_own || !is_visited_twice<Visit, at<State>>)&&!
      is_visited_twice<Visit, any_state>;
};
template <class Visit, auto State>
struct visit_returns_nothing {
  using state_type = typename Visit::machine::state_type;
  static constexpr bool value =
      is_visited_for_nothing<Visit, at<State>> &&
      is_visited_for_nothing<Visit, at<State>, state_type> &&
      is_visited_for_nothing<Visit, any_state> &&
      is_visited_for_nothing<Visit, any_state, state_type>;
};
template <class Visit, auto State>
struct visit_can_be_called {
  static constexpr bool value = !takes_something_else_in<Visit, State>();
};
template <class Visit, auto... States>
struct visits_can_be_called {
  using state_type = typename Visit::machine::state_type;
  static constexpr bool value =
      !takes_something_else<Visit, states<States...>>() &&
      ((is_visited<Visit, at<States>> || is_visited<Visit, at<States>, state_type>) || ... ||
       (is_visited<Visit, any_state> || is_visited<Visit, any_state, state_type>));
};

template <class M, auto... States>
struct check_enter {
  using visit = enter_calls<M>;
  static_assert((visit_is_clear<visit, States>::value && ...),
                "smarm: more than one enter fits a state, and none is nearer.");
  static_assert((visit_returns_nothing<visit, States>::value && ...),
                "smarm: an enter returns nothing: there is no row that would follow it. It may call "
                "next_event(event) or stop(reason).");
  static_assert(visits_can_be_called<visit, States...>::value &&
                    (visit_can_be_called<visit, States>::value && ...),
                "smarm: the machine's enter cannot be called, or one of several; each is a public "
                "member  void enter(smarm::in<State>)  or  void enter(smarm::in<State>, State from).");
};
template <class M, auto... States>
struct check_exit {
  using visit = exit_calls<M>;
  static_assert((visit_is_clear<visit, States>::value && ...),
                "smarm: more than one exit fits a state, and none is nearer.");
  static_assert((visit_returns_nothing<visit, States>::value && ...),
                "smarm: an exit returns nothing: the row has said already what follows. It may call "
                "next_event(event) or stop(reason).");
  static_assert(visits_can_be_called<visit, States...>::value &&
                    (visit_can_be_called<visit, States>::value && ...),
                "smarm: the machine's exit cannot be called, or one of several; each is a public "
                "member  void exit(smarm::in<State>)  or  void exit(smarm::in<State>, State next).");
};

template <class M, auto... States>
constexpr bool check_visits(states<States...>) {
  if constexpr (names_enter<M>) {
    (void)sizeof(check_enter<M, States...>);
  }
  if constexpr (names_exit<M>) {
    (void)sizeof(check_exit<M, States...>);
  }
  return true;
}

} // namespace smarm::detail

#endif
