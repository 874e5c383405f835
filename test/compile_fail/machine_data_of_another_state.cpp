// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Data of a state is there if the machine lists it.
// expect: smarm: the state has no data

#include <smarm/gen_statem.hpp>

#include <boost/describe/enum.hpp>

BOOST_DEFINE_ENUM_CLASS(door_state, open, closed)

class door : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct push {};
  struct lock {};
  using events = smarm::events<push>;

  using state_data = smarm::state_data<smarm::data_in<open, int>>;
  smarm::to<open> on(smarm::in<closed> here, push) {
    ++data(here);
    return {};
  }
  smarm::to<closed> on(smarm::in<open>, push);
};

static_assert(smarm::complete_machine<door>);
