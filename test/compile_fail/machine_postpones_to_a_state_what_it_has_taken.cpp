// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An event that is to be retried stays where it is.
// expect: smarm: a row that may say smarm::postpone, postpone_to or next_row must leave the event

#include <smarm/gen_statem.hpp>

#include <boost/describe/enum.hpp>

BOOST_DEFINE_ENUM_CLASS(door_state, open, closed, locked)

class door : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct push {};
  using events = smarm::events<push>;
  using states = smarm::states<open, closed>;

  smarm::one_of<smarm::keep, smarm::postpone_to<closed>> on(smarm::in<open>, push&&);
  smarm::to<open> on(smarm::in<closed>, push);
};

static_assert(smarm::complete_machine<door>);
