// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Seeded bug: two contexts on two threads write one variable with nothing between them.
// expect: ThreadSanitizer: data race

#include "../fiber.hpp"

#include <thread>

namespace {

int shared = 0;

} // namespace

int main() {
  smarm::detail::stack_pool pool;
  auto body = [](smarm_test::fiber& self) {
    self.yield();
    shared = shared + 1;
    self.yield(); // of a context that is gone by the time of the other write nothing is known
  };
  smarm_test::fiber one(pool, body);
  smarm_test::fiber two(pool, body);
  one.resume();
  two.resume();
  std::thread other([&] { one.resume(); });
  two.resume();
  other.join();
  one.resume();
  two.resume();
  return shared == 0 ? 1 : 0;
}
