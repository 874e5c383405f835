// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The rows of a call take the right to answer it.
// expect: Rows for a call|rows? for a call
// expect: some_state_handles<.*get>

#include <smarm/gen_statem.hpp>

#include <boost/describe/enum.hpp>

BOOST_DEFINE_ENUM_CLASS(door_state, open, closed)

class door : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct push {};
  struct lock {};
  struct get {
    using reply = int;
  };
  using events = smarm::events<push, get>;

  smarm::to<closed> on(smarm::in<open>, push);
  smarm::to<open> on(smarm::in<closed>, push);
  smarm::stay on(smarm::any_state, get);
};

static_assert(smarm::complete_machine<door>);
