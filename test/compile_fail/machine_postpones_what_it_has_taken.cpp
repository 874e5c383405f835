// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A row that may postpone an event leaves it where it is.
// expect: smarm: a row that may say smarm::postpone, postpone_to or next_row must leave the event
// expect: row_that_puts_off_leaves_the_event<.*open.*parcel.*>

#include <smarm/gen_statem.hpp>

#include <boost/describe/enum.hpp>

#include <memory>

BOOST_DEFINE_ENUM_CLASS(door_state, open, closed)

class door : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct push {};
  struct lock {};
  struct parcel {
    std::unique_ptr<int> content;
  };
  using events = smarm::events<parcel>;

  smarm::one_of<smarm::keep, smarm::postpone> on(smarm::in<open>, parcel);
  smarm::ignored on(smarm::in<closed>, parcel);
};

static_assert(smarm::complete_machine<door>);
