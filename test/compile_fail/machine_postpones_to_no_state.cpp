// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The state in which an event is to be retried is one of the machine's.
// expect: smarm: a row leads to a state that is not one of the machine's states

#include <smarm/gen_statem.hpp>

#include <boost/describe/enum.hpp>

BOOST_DEFINE_ENUM_CLASS(door_state, open, closed, locked)

class door : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct push {};
  using events = smarm::events<push>;
  using states = smarm::states<open, closed>;

  smarm::postponed_to<locked> on(smarm::in<open>, const push&);
  smarm::to<open> on(smarm::in<closed>, push);
};

static_assert(smarm::complete_machine<door>);
