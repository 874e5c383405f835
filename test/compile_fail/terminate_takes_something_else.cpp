// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A terminate that could not be called would never be, and nobody would know.
// expect: smarm: the server's terminate cannot be called
// expect: smarm: the server's init cannot be called

#include <smarm/gen_server.hpp>

struct counter : smarm::gen_server<counter> {
  void init(int) {}
  void terminate() {}
};

void start() { (void)smarm::start_server<counter>(); }
