// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A group takes what its members take, and says so where it is sent something else.
// expect: smarm: this type of actor takes no messages of this type

#include <smarm/process_group.hpp>

#include <string>

struct worker {
  using message = smarm::messages<int, std::string>;
  void run(smarm::receiver<int>&, smarm::receiver<std::string>&);
};

inline constexpr smarm::process_group<worker> pool("pool");

void start() { (void)pool.dispatch(1.5); }
