// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A program without traces, and a library with them.
// expect: undefined (reference to|symbol).*library_built_with<.*trace_off

#undef SMARM_TRACE
#define SMARM_TRACE 0

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>

int main() {
  smarm::runtime().run([] { smarm::spawn([] {}).detach(); });
}
