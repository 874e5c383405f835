// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A timer needs a handler for its payload.
// expect: smarm: the server has no handle_timer for this payload

#include <smarm/gen_server.hpp>

#include <chrono>

struct counter : smarm::gen_server<counter> {
  void init() { (void)arm_after(std::chrono::seconds(1), 1); }
};

void start() { (void)smarm::start_server<counter>(); }
