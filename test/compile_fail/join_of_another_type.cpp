// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Only actors of its type can be members of a group, though another type takes the same messages.
// expect: no matching function for call|no matching member function

#include <smarm/process_group.hpp>

struct worker {
  using message = int;
  void run(smarm::receiver<int>&);
};
struct clerk {
  using message = int;
  void run(smarm::receiver<int>&);
};

inline constexpr smarm::process_group<worker> pool("pool");

void start(smarm::typed_pid<clerk> who) { (void)pool.join(who); }
