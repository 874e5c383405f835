// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A cast needs a handler for its type of message.
// expect: smarm: the server has no handle_cast for this type of message

#include <smarm/gen_server.hpp>

struct counter : smarm::gen_server<counter> {
  struct get {};
  struct by_reference {};
  struct both {};
  struct missing {};
  int handle_call(get) { return 1; }
  int handle_call(by_reference&) { return 1; }
  int handle_call(both) { return 1; }
  void handle_call(both, smarm::reply_to<int>) {}
  void handle_cast(get) {}
};

void start(const smarm::server_ref<counter>& c) { (void)c.cast(counter::missing{}); }
