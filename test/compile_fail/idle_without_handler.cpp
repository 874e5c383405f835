// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Quiet times need a handler.
// expect: smarm: a server with an idle window needs a public member void handle_idle

#include <smarm/gen_server.hpp>

#include <chrono>

struct counter : smarm::gen_server<counter> {
  void init() { idle_after(std::chrono::seconds(1)); }
};

void start() { (void)smarm::start_server<counter>(); }
