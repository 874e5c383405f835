// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Seeded bug: a context writes one element past a local array, after it was left and resumed.
// expect: AddressSanitizer: stack-buffer-overflow

#include "../fiber.hpp"

int main(int count, char**) {
  smarm::detail::stack_pool pool;
  // Not to be found by UndefinedBehaviorSanitizer first.
  const auto body = [count](smarm_test::fiber& self) __attribute__((no_sanitize("undefined"))) {
    int numbers[4] = {};
    volatile int* const first = numbers;
    self.yield();
    first[3 + count] = 1; // one past the end when started without arguments
  };
  smarm_test::fiber one(pool, body);
  one.resume();
  one.resume();
}
