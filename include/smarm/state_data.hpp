// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Data that a machine has only while it is in a state: made when the state is entered, destroyed when it
// is left.
//
//     using state_data = smarm::state_data<smarm::data_in<dialing, attempt>,
//                                          smarm::data_in<up, session>>;
//     smarm::stay on(smarm::in<up> here, frame f) { data(here).received += f.size; return {}; }
//
// A row for several states asks state(), and then says data(smarm::in<up>()).

#ifndef SMARM_STATE_DATA_HPP
#define SMARM_STATE_DATA_HPP

#include <smarm/detail/machine_part.hpp>
#include <smarm/error.hpp>
#include <smarm/transition.hpp>

#include <boost/system/system_error.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

namespace smarm {

template <auto State, class Data>
struct data_in {
  static_assert(std::is_default_constructible_v<Data>,
                "smarm: the data of a state is made when the state is entered, so it must be "
                "default-constructible; what it starts with is given to it by prepare(in<State>)");
  using type = Data;
  static constexpr auto state = State;
};

template <class... Data>
struct state_data {};

} // namespace smarm

namespace smarm::detail {

template <class M>
concept has_state_data = requires {
  typename M::state_data;
};

template <class List>
struct state_store;

// There are no data before init, and none after terminate.
[[noreturn]] inline void throw_no_state_data() {
  throw boost::system::system_error(make_error_code(errc::wrong_state),
                                    "smarm::gen_statem: data of a state, before init or after "
                                    "terminate");
}

// Two places, of which one is the present state's, and the other the next one's from when that is
// prepared. The data is never moved.
template <class... Data>
struct state_store<state_data<Data...>> {
  using place = std::variant<std::monostate, typename Data::type...>;

  // One more than its position, or zero: the state has no data.
  template <auto State>
  [[nodiscard]] static consteval std::size_t place_of() {
    std::size_t i = 0;
    std::size_t found = 0;
    (void)((++i, is_same_value<Data::state, State> ? (found = i, true) : false) || ...);
    return found;
  }

  template <auto State>
  [[nodiscard]] auto& get() {
    constexpr std::size_t i = place_of<State>();
    static_assert(i != 0,
                  "smarm: the state has no data; list it in the machine's  using state_data = "
                  "smarm::state_data<smarm::data_in<State, Data>, ...>");
    if (auto* const found = std::get_if<i>(&places[present])) {
      return *found;
    }
    throw boost::system::system_error(make_error_code(errc::wrong_state),
                                      "smarm::gen_statem::data");
  }
  template <auto State>
  auto& prepare() {
    constexpr std::size_t i = place_of<State>();
    static_assert(i != 0,
                  "smarm: the state has no data; list it in the machine's  using state_data = "
                  "smarm::state_data<smarm::data_in<State, Data>, ...>");
    place& next = places[1 - present];
    return next.index() == i ? std::get<i>(next) : next.template emplace<i>();
  }
  // After the exit call, before the enter call.
  template <auto State>
  void enter() {
    constexpr std::size_t i = place_of<State>();
    place& next = places[1 - present];
    if (next.index() != i) {
      next.template emplace<i>();
    }
    present = 1 - present;
    drop_prepared();
  }
  void drop_prepared() noexcept { places[1 - present].template emplace<0>(); }

  std::array<place, 2> places;
  std::size_t present = 0;
};

} // namespace smarm::detail

#endif
