// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An actor that takes one type of message takes what that can be made of.
// expect: smarm: this type of actor takes one type of message, and it cannot be made of this

#include <smarm/send.hpp>
#include <smarm/spawn_actor.hpp>

#include <string>

struct counter {
  using message = int;
  void run(smarm::receiver<int>&) {}
};

void give(const smarm::typed_pid<counter>& to) { (void)smarm::send(to, std::string("a text")); }
