// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A row returns what may become of the event.
// expect: smarm: a row returns smarm::to, one_of, stay
// expect: row_returns_an_outcome<.*closed.*push.*>

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
  door_state on(smarm::in<closed>, push);
};

static_assert(smarm::complete_machine<door>);
