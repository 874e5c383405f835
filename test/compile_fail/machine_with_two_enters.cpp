// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One enter is the nearest for a state.
// expect: smarm: more than one enter fits a state

#include <smarm/gen_statem.hpp>

#include <boost/describe/enum.hpp>

BOOST_DEFINE_ENUM_CLASS(door_state, open, closed)

class door : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct push {};
  struct lock {};
  using events = smarm::events<push>;

  smarm::to<closed> on(smarm::in<open>, push);
  smarm::to<open> on(smarm::in<closed>, push);
  void enter(smarm::in<open, closed>);
  void enter(smarm::in<closed, open>);
};

static_assert(smarm::complete_machine<door>);
