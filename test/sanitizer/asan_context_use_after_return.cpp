// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Seeded bug: a context reads a local variable of a function that has returned, after it was left
// and resumed on another thread. A second context was left in a function call meanwhile.
// expect: AddressSanitizer: stack-use-after-return

#include "../fiber.hpp"

#include <thread>

namespace {

volatile int* left_behind = nullptr;

SMARM_NOINLINE void leave() {
  volatile int local = 1;
  left_behind = &local;
}

SMARM_NOINLINE void wait_inside(smarm_test::fiber& self) {
  volatile int local = 2;
  self.yield();
  local = local + 1;
}

} // namespace

int main() {
  smarm::detail::stack_pool pool;
  smarm_test::fiber other(pool, wait_inside);
  smarm_test::fiber one(pool, [](smarm_test::fiber& self) {
    leave();
    self.yield();
    *left_behind = 3;
  });
  one.resume();
  other.resume();
  std::thread([&] { one.resume(); }).join();
  other.resume();
}
