// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An exit of a state that is not the machine's would be passed over, beside one that is called.
// expect: smarm: the machine's exit cannot be called

#include <smarm/gen_statem.hpp>

#include <boost/describe/enum.hpp>

BOOST_DEFINE_ENUM_CLASS(door_state, open, closed, locked)

class door : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct push {};
  using events = smarm::events<push>;
  using states = smarm::states<open, closed>;

  smarm::to<closed> on(smarm::in<open>, push);
  smarm::to<open> on(smarm::in<closed>, push);
  void exit(smarm::in<open>);
  void exit(smarm::in<locked>);
};

static_assert(smarm::complete_machine<door>);
