// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The calls of a machine's enter and exit, which are found as rows are: the one for the state alone
// first, then one for several, then one for any state; none is fine. They may ask for the other state,
// too: the one that was left, or the one that follows.

#ifndef SMARM_DETAIL_MACHINE_VISIT_HPP
#define SMARM_DETAIL_MACHINE_VISIT_HPP

#include <smarm/transition.hpp>

#include <type_traits>
#include <utility>

namespace smarm::detail {

struct no_visit {};

// Whether the class has a member of that name at all, see server_callbacks.hpp.
struct has_enter_too {
  int enter;
};
struct has_exit_too {
  int exit;
};
template <class M, class Too>
struct named_twice : M, Too {};
template <class M>
concept names_enter = !requires {
  &named_twice<M, has_enter_too>::enter;
};
template <class M>
concept names_exit = !requires {
  &named_twice<M, has_exit_too>::exit;
};

template <class M>
struct enter_probe : M {
  using M::enter;
  no_visit enter(...) const; // so that one may be const
};
template <class M>
struct exit_probe : M {
  using M::exit;
  no_visit exit(...) const;
};

// False: there is none, or two fit, which machine_visit_check.hpp tells.
template <class M, class... Arguments>
concept has_enter =
    !std::is_same_v<no_visit,
                    decltype(std::declval<enter_probe<M>&>().enter(std::declval<Arguments>()...))>;
template <class M, class... Arguments>
concept has_exit =
    !std::is_same_v<no_visit,
                    decltype(std::declval<exit_probe<M>&>().exit(std::declval<Arguments>()...))>;

template <class M>
struct machine_visit {
  using state_type = typename M::state_type;

  template <auto State>
  static void enter(M& m, [[maybe_unused]] state_type from) {
    if constexpr (!names_enter<M>) {
      (void)m;
    } else if constexpr (has_enter<M, in<State>>) { // which does not become several
      m.enter(at<State>());
    } else if constexpr (has_enter<M, in<State>, state_type>) {
      m.enter(at<State>(), from);
    } else if constexpr (has_enter<M, at<State>>) {
      m.enter(at<State>());
    } else if constexpr (has_enter<M, at<State>, state_type>) {
      m.enter(at<State>(), from);
    } else if constexpr (has_enter<M, any_state>) {
      m.enter(any_state());
    } else if constexpr (has_enter<M, any_state, state_type>) {
      m.enter(any_state(), from);
    }
  }
  template <auto State>
  static void exit(M& m, [[maybe_unused]] state_type next) {
    if constexpr (!names_exit<M>) {
      (void)m;
    } else if constexpr (has_exit<M, in<State>>) { // which does not become several
      m.exit(at<State>());
    } else if constexpr (has_exit<M, in<State>, state_type>) {
      m.exit(at<State>(), next);
    } else if constexpr (has_exit<M, at<State>>) {
      m.exit(at<State>());
    } else if constexpr (has_exit<M, at<State>, state_type>) {
      m.exit(at<State>(), next);
    } else if constexpr (has_exit<M, any_state>) {
      m.exit(any_state());
    } else if constexpr (has_exit<M, any_state, state_type>) {
      m.exit(any_state(), next);
    }
  }
};

} // namespace smarm::detail

#endif
