// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An initial that is private would not count.
// expect: smarm: the machine's initial does not count

#include <smarm/gen_statem.hpp>

#include <boost/describe/enum.hpp>

BOOST_DEFINE_ENUM_CLASS(door_state, open, closed, locked)

class door : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct push {};
  using events = smarm::events<push>;

  smarm::to<closed> on(smarm::in<open>, push);
  smarm::to<open> on(smarm::in<closed>, push);
  smarm::ignored on(smarm::in<locked>, push);

private:
  static constexpr door_state initial = locked;
};

static_assert(smarm::complete_machine<door>);
