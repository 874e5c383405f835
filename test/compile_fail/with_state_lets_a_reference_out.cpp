// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What with_state returns is used outside the server, so it refers to nothing in there.
// expect: smarm: what with_state returns is used outside the server

#include <smarm/sys.hpp>

#include <string>

struct counter : smarm::gen_server<counter> {
  std::string name;
};

void look(const smarm::server_ref<counter>& c) {
  (void)smarm::sys::with_state(c, [](counter& state) -> std::string& { return state.name; });
}
