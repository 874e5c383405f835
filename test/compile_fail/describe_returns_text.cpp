// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A describe writes to a stream and changes nothing; one of another form is not passed over in silence.
// expect: smarm: the server's describe cannot be called

#include <smarm/gen_server.hpp>

#include <string>

struct counter : smarm::gen_server<counter> {
  std::string describe() const { return "none"; }
};

void start() { (void)smarm::start_server<counter>(); }
