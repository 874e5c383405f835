// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A program with budgets, and a library without.
// expect: undefined (reference to|symbol).*library_built_with<.*budget_on

#undef SMARM_BUDGET
#define SMARM_BUDGET 1

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>

int main() {
  smarm::runtime().run([] { smarm::spawn([] {}).detach(); });
}
