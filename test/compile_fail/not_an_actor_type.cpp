// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A type that does not say what it takes is no actor's.
// expect: smarm: an actor type says what it takes by a member type named

#include <smarm/spawn_actor.hpp>

struct counter {
  void run(smarm::receiver<int>&) {}
};

void start() { (void)smarm::spawn_actor<counter>(); }
