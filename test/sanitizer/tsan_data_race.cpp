// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Seeded bug: a thread and main write one variable with nothing between them.
// expect: ThreadSanitizer: data race

#include <thread>

namespace {

int shared = 0;

} // namespace

int main() {
  std::thread other([] { shared = 1; });
  shared = 2;
  other.join();
  return shared == 0 ? 1 : 0;
}
