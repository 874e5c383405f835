// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Seeded bug: two guests, called on stacks that are not theirs, write one variable on two threads
// with nothing between them.
// expect: ThreadSanitizer: data race

#include "../fiber.hpp"

#include <thread>

namespace {

int shared = 0;

SMARM_NOINLINE void guest(smarm_test::fiber& self) {
  self.yield();
  shared = shared + 1;
  self.yield(); // of a guest that is gone by the time of the other write nothing is known
}

void host(smarm_test::fiber& self) {
  smarm::detail::guest_fiber own(self.stack().fiber);
  guest(self);
}

} // namespace

int main() {
  smarm::detail::stack_pool pool;
  smarm_test::fiber one(pool, host);
  smarm_test::fiber two(pool, host);
  one.resume();
  two.resume();
  std::thread other([&] { one.resume(); });
  two.resume();
  other.join();
  one.resume();
  two.resume();
  return shared == 0 ? 1 : 0;
}
