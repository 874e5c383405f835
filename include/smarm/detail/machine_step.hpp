// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a machine does about an event: the row for the state that it is in is called, and what the row
// says is done.

#ifndef SMARM_DETAIL_MACHINE_STEP_HPP
#define SMARM_DETAIL_MACHINE_STEP_HPP

#include <smarm/detail/config.hpp>
#include <smarm/detail/machine_part.hpp>
#include <smarm/detail/machine_row.hpp>
#include <smarm/detail/machine_visit.hpp>
#include <smarm/reply_to.hpp>
#include <smarm/state_data.hpp>
#include <smarm/transition.hpp>

#include <type_traits>
#include <utility>

namespace smarm::detail {

enum class verdict : unsigned char { handled, postponed };

// For events that are no calls.
struct no_reply {};

template <class M>
class machine_step {
public:
  // The event, and for a call the right to answer it, are still there if it is postponed.
  template <class Event, class Reply>
  static verdict handle(M& m, Event& event, Reply& reply) {
    if (machine_part* const part = machine_access::find(m)) {
      part->agenda.begin();
    }
    const verdict v = dispatch(m, event, reply, states_of<M>());
    if constexpr (has_state_data<M>) {
      store(m).drop_prepared();
    }
    return v;
  }

  // With the data of the state that it begins in.
  static void make_store(M& m) requires has_state_data<M> {
    using store_type = state_store<typename M::state_data>;
    machine_access::get(m).data = {new store_type,
                                   [](void* s) { delete static_cast<store_type*>(s); }};
    make_first_data(m, states_of<M>());
  }
  // The state that it begins in is entered.
  static void begin(M& m) {
    begin_in(m, states_of<M>());
    if constexpr (has_state_data<M>) {
      store(m).drop_prepared(); // by init or enter: there is no row that it could be for
    }
  }
  [[nodiscard]] static bool begins_in_its_states(const M& m) noexcept {
    return is_in_its_states(m, states_of<M>());
  }

  [[nodiscard]] static auto& store(M& m) noexcept requires has_state_data<M> {
    return *static_cast<state_store<typename M::state_data>*>(machine_access::find(m)->data.get());
  }

private:
  using state_type = typename M::state_type;

  template <auto... States>
  static void begin_in(M& m, states<States...>) {
    const state_type first = m.state();
    (void)((first == States ? (machine_visit<M>::template enter<States>(m, States), true)
                            : false) ||
           ...);
  }
  template <auto... States>
  static void make_first_data(M& m, states<States...>) {
    const state_type first = m.state();
    (void)((first == States ? (store(m).template enter<States>(), true) : false) || ...);
  }
  template <auto... States>
  static bool is_in_its_states(const M& m, states<States...>) noexcept {
    return ((m.state() == States) || ...);
  }

  // One function for each event; the states are its switch.
  template <class Event, class Reply, auto... States>
  static verdict dispatch(M& m, Event& event, Reply& reply, states<States...>) {
    const state_type present = m.state();
    verdict v{};
    (void)((present == States ? (v = in_state<States>(m, event, reply), true) : false) || ...);
    return v;
  }

  template <auto State, class Event, class Reply>
  static verdict in_state(M& m, Event& event, Reply& reply) {
    using row = machine_row<M, State, Event>;
    if constexpr (std::is_same_v<typename row::result, ignored>) {
      return verdict::handled;
    } else if constexpr (std::is_same_v<typename row::result, postponed>) {
      return verdict::postponed;
    } else {
      return follow<State>(
          m, call<row::kind, State, typename row::result, row::lends_reply>(m, event, reply), event,
          reply);
    }
  }

  // Calls the row of that kind.
  template <row_kind Kind, auto State, class Result, bool LendsReply, class Event, class Reply>
  static Result call(M& m, Event& event, Reply& reply) {
    if constexpr (Kind == row_kind::for_any_event) {
      return m.on(at<State>(), any_event());
    } else {
      using where = std::conditional_t<Kind == row_kind::for_state, at<State>, any_state>;
      using given =
          std::conditional_t<keeps_event<Result>, const Event&, Event&&>; // it must survive, or not
      if constexpr (!is_call_event<Event>) {
        return m.on(where(), static_cast<given>(event));
      } else if constexpr (LendsReply) {
        return m.on(where(), static_cast<given>(event), reply);
      } else {
        return m.on(where(), static_cast<given>(event), std::move(reply));
      }
    }
  }

  template <auto State, auto... Outcomes, class Event, class Reply>
  static verdict follow(M& m, one_of<Outcomes...> chosen, Event& event, Reply& reply) {
    verdict v{};
    std::size_t i = 0;
    (void)((chosen.index() == i++ ? (v = follow_one<State, Outcomes>(m, event, reply), true)
                                  : false) ||
           ...);
    return v;
  }

  template <auto State, auto Outcome, class Event, class Reply>
  static verdict follow_one(M& m, [[maybe_unused]] Event& event, [[maybe_unused]] Reply& reply) {
    if constexpr (is_postponed_until<decltype(Outcome)>) {
      if constexpr (!is_same_value<State, Outcome.next>) {
        (void)machine_access::get(m); // remembers that the state has changed
        change<State, Outcome.next>(m);
      }
      return verdict::postponed;
    } else if constexpr (!std::is_same_v<decltype(Outcome), outcome>) {
      if constexpr (!is_same_value<State, Outcome>) {
        change<State, Outcome>(m);
      }
    } else if constexpr (Outcome == outcome::postpone) {
      return verdict::postponed;
    } else if constexpr (Outcome == outcome::stop) {
      machine_access::stop(m);
    } else if constexpr (Outcome == outcome::repeat) {
      machine_visit<M>::template exit<State>(m, State);
      machine_visit<M>::template enter<State>(m, State);
    } else if constexpr (Outcome == outcome::next_row) {
      using row = wider_row<M, State, Event>;
      if constexpr (std::is_same_v<typename row::result, postponed>) {
        return verdict::postponed;
      } else if constexpr (!std::is_same_v<typename row::result, ignored>) {
        return follow<State>(
            m, call<row::kind, State, typename row::result, row::lends_reply>(m, event, reply),
            event, reply);
      }
    }
    return verdict::handled;
  }

  template <auto From, auto To>
  SMARM_NOINLINE static void change(M& m) {
    machine_visit<M>::template exit<From>(m, To);
    if constexpr (has_state_data<M>) {
      store(m).template enter<To>();
    }
    machine_access::state(m) = To;
    if (machine_part* const part = machine_access::find(m)) {
      part->agenda.state_changed();
    }
    machine_visit<M>::template enter<To>(m, From);
  }
};

} // namespace smarm::detail

#endif
