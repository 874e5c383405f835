// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What a guard declines goes to a wider row.
// expect: smarm: a row that may say smarm::next_row needs another
// expect: guarded_row_has_a_wider_one<.*open.*push.*>

#include <smarm/gen_statem.hpp>

#include <boost/describe/enum.hpp>

BOOST_DEFINE_ENUM_CLASS(door_state, open, closed)

class door : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct push {};
  struct lock {};
  using events = smarm::events<push>;

  smarm::one_of<smarm::keep, smarm::next_row> on(smarm::in<open>, const push&);
  smarm::to<open> on(smarm::in<closed>, push);
};

static_assert(smarm::complete_machine<door>);
