// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A typed pid takes what its actor's type says, and nothing else.
// expect: smarm: this type of actor takes no messages of this type

#include <smarm/send.hpp>
#include <smarm/spawn_actor.hpp>

#include <string>

struct account {
  using message = smarm::messages<int, double>;
  void run(smarm::receiver<int>&, smarm::receiver<double>&) {}
};

void give(const smarm::typed_pid<account>& to) { (void)smarm::send(to, std::string("a text")); }
