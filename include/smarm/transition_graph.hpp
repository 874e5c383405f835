// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A machine's table as a picture, for Graphviz:
//
//     std::cout << smarm::transition_graph<door>();     // ./door | dot -Tsvg > door.svg
//
// It is made of the rows themselves, so it cannot be out of date.

#ifndef SMARM_TRANSITION_GRAPH_HPP
#define SMARM_TRANSITION_GRAPH_HPP

#include <smarm/detail/machine_check.hpp>
#include <smarm/detail/machine_row.hpp>
#include <smarm/detail/static_name.hpp>
#include <smarm/detail/transition_edges.hpp>
#include <smarm/transition.hpp>

#include <string>
#include <string_view>
#include <type_traits>

namespace smarm::detail {

template <auto From, class Event, auto... Outcomes>
void add_edges(transition_edges& to, std::type_identity<one_of<Outcomes...>>) {
  const auto add = [&]<auto Outcome>(std::type_identity<one_of<Outcome>>) {
    constexpr std::string_view from = value_name<From>();
    constexpr std::string_view event = type_name<Event>();
    if constexpr (is_postponed_until<decltype(Outcome)>) {
      to.add(from, value_name<Outcome.next>(), event, edge_kind::postpones);
    } else if constexpr (!std::is_same_v<decltype(Outcome), outcome>) {
      to.add(from, value_name<Outcome>(), event,
             is_same_value<From, Outcome> ? edge_kind::stays : edge_kind::goes);
    } else if constexpr (Outcome == outcome::keep) {
      to.add(from, from, event, edge_kind::stays);
    } else if constexpr (Outcome == outcome::repeat) {
      to.add(from, from, event, edge_kind::goes);
    } else if constexpr (Outcome == outcome::postpone) {
      to.add(from, from, event, edge_kind::postpones);
    } else if constexpr (Outcome == outcome::stop) {
      to.add(from, {}, event, edge_kind::ends);
    }
  };
  (add(std::type_identity<one_of<Outcomes>>()), ...);
}

template <class M, auto From, class Event>
void add_row(transition_edges& to) {
  using result = typename machine_row<M, From, Event>::result;
  add_edges<From, Event>(to, std::type_identity<result>());
  if constexpr (may_be<outcome::next_row, result>) {
    add_edges<From, Event>(to, std::type_identity<typename wider_row<M, From, Event>::result>());
  }
}

template <class M, auto From, class... Events>
void add_state(transition_edges& to, events<Events...>) {
  to.add_state(value_name<From>());
  (add_row<M, From, Events>(to), ...);
}

template <class M, auto... States>
void add_states(transition_edges& to, states<States...>) {
  const auto first = initial_state<M>();
  (void)((first == States ? (to.begin_in(value_name<States>()), true) : false) || ...);
  (add_state<M, States>(to, typename M::events()), ...);
}

} // namespace smarm::detail

namespace smarm {

// Text in the language of Graphviz. States are nodes; an arrow bears the events that lead along it. Ways
// that stay are dashed, what is postponed is dotted and says so, to the state where it is retried at once, what is ignored is left out, and an
// arrow to `ended` is the machine's end. Linear in the number of pairs of a state and an event. Throws
// std::bad_alloc.
template <class M>
[[nodiscard]] std::string transition_graph() {
  static_assert(complete_machine<M>);
  detail::transition_edges edges;
  detail::add_states<M>(edges, detail::states_of<M>());
  return edges.text(detail::type_name<M>());
}

} // namespace smarm

#endif
