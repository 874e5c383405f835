// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The function that with_state calls takes the state of that server.
// expect: smarm: with_state calls its function with a reference to the server's object

#include <smarm/sys.hpp>

struct counter : smarm::gen_server<counter> {};
struct clock_server : smarm::gen_server<clock_server> {};

void look(const smarm::server_ref<counter>& c) {
  (void)smarm::sys::with_state(c, [](clock_server&) {});
}
