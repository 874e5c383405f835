// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A machine is told its events only.
// expect: smarm: the machine does not handle this

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
  smarm::to<open> on(smarm::in<closed>, push);
};

void tell(const smarm::server_ref<door>& d) { (void)d.cast(door::lock{}); }
