// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server's base has the server itself as its argument, not the class that it was copied from.
// expect: smarm: a server's class derives publicly from smarm::gen_server of itself

#include <smarm/gen_server.hpp>

struct counter : smarm::gen_server<counter> {};
struct logger : smarm::gen_server<counter> {};

void start() { (void)smarm::start_server<logger>(); }
