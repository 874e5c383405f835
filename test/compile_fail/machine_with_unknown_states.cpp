// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The states of a machine are described, or listed.
// expect: smarm: the states of this machine are not known
// expect: BOOST_DESCRIBE_ENUM

#include <smarm/gen_statem.hpp>

enum class door_state { open, closed };

class door : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct push {};
  struct lock {};
  using events = smarm::events<push>;

  smarm::stay on(smarm::any_state, push);
};

static_assert(smarm::complete_machine<door>);
