// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What init returns says whether the server starts.
// expect: smarm: a server's init returns void or smarm::init_result

#include <smarm/gen_server.hpp>

#include <chrono>

struct counter : smarm::gen_server<counter> {
  int init() { return 1; }
};

void start() { (void)smarm::start_server<counter>(); }
