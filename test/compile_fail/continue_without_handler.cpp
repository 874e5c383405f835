// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Work that is put off needs a handler.
// expect: smarm: the server has no handle_continue for this

#include <smarm/gen_server.hpp>

struct counter : smarm::gen_server<counter> {
  struct rest {};
  void init() { continue_with(rest{}); }
  void handle_continue(int) {}
};

void start() { (void)smarm::start_server<counter>(); }
