// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An actor type has a member run that is given its inboxes.
// expect: smarm: an actor type has a member run

#include <smarm/spawn_actor.hpp>

struct counter {
  using message = int;
  void run(smarm::receiver<double>&) {}
};

void start() { (void)smarm::spawn_actor<counter>(); }
