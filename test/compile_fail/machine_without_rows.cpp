// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A machine has rows.
// expect: smarm: a machine has rows, which are public members called on

#include <smarm/gen_statem.hpp>

#include <boost/describe/enum.hpp>

BOOST_DEFINE_ENUM_CLASS(door_state, open, closed)

class door : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct push {};
  struct lock {};
  using events = smarm::events<push>;


};

static_assert(smarm::complete_machine<door>);
