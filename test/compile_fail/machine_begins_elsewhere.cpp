// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A machine begins in one of its states.
// expect: smarm: the machine's initial is not one of its states

#include <smarm/gen_statem.hpp>

#include <boost/describe/enum.hpp>

BOOST_DEFINE_ENUM_CLASS(door_state, open, closed, locked)

class door : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct push {};
  using events = smarm::events<push>;
  using states = smarm::states<open, closed>;
  static constexpr door_state initial = locked;

  smarm::to<closed> on(smarm::in<open>, push);
  smarm::to<open> on(smarm::in<closed>, push);

};

static_assert(smarm::complete_machine<door>);
