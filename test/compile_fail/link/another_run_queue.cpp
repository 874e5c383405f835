// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A program with another run queue.
// expect: undefined (reference to|symbol).*library_built_with<.*run_queue_mutex

#undef SMARM_RUN_QUEUE_STRIPED
#define SMARM_RUN_QUEUE_MUTEX 1

#include <smarm/runtime.hpp>
#include <smarm/spawn.hpp>

int main() {
  smarm::runtime().run([] { smarm::spawn([] {}).detach(); });
}
