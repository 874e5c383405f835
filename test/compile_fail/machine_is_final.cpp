// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A machine whose class is final cannot be looked into.
// expect: smarm: a machine's class cannot be final

#include <smarm/gen_statem.hpp>

#include <boost/describe/enum.hpp>

BOOST_DEFINE_ENUM_CLASS(door_state, open, closed)

class door final : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct push {};
  struct lock {};
  using events = smarm::events<push>;

  smarm::to<closed> on(smarm::in<open>, push);
  smarm::to<open> on(smarm::in<closed>, push);
};

static_assert(smarm::complete_machine<door>);
