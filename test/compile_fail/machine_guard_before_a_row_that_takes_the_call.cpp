// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A guard passes a call on to a row that may postpone it, and would have taken the right to answer.
// expect: row_that_puts_off_leaves_the_event<.*open.*get.*>

#include <smarm/gen_statem.hpp>

#include <boost/describe/enum.hpp>

BOOST_DEFINE_ENUM_CLASS(door_state, open, closed)

class door : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct get {
    using reply = int;
  };
  using events = smarm::events<get>;

  smarm::one_of<smarm::keep, smarm::next_row> on(smarm::in<open>, const get&,
                                                 smarm::reply_to<int>&);
  smarm::ignored on(smarm::in<closed>, get, smarm::reply_to<int>);
  smarm::one_of<smarm::keep, smarm::postpone> on(smarm::any_state, const get&,
                                                 smarm::reply_to<int>);
};

static_assert(smarm::complete_machine<door>);
