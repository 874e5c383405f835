// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An event that can be made of another is still one of its own.
// expect: smarm: a state has no row for an event
// expect: has_a_row<.*closed.*push>

#include <smarm/gen_statem.hpp>

#include <boost/describe/enum.hpp>

BOOST_DEFINE_ENUM_CLASS(door_state, open, closed)

class door : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct push {};
  struct lock {};
  struct shove {
    shove() = default;
    shove(push) {}
  };
  using events = smarm::events<push, shove>;

  smarm::to<closed> on(smarm::in<open>, push);
  smarm::stay on(smarm::any_state, shove);
};

static_assert(smarm::complete_machine<door>);
