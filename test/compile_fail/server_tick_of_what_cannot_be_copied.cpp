// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server's tick hands over a copy each time.
// expect: smarm: each tick hands over a copy of the payload, so it must be copyable

#include <smarm/gen_server.hpp>

#include <chrono>
#include <memory>

struct counter : smarm::gen_server<counter> {
  void init() { (void)tick_every(std::chrono::seconds(1), std::make_unique<int>(1)); }
  void handle_timer(std::unique_ptr<int>) {}
};

void start() { (void)smarm::start_server<counter>(); }
