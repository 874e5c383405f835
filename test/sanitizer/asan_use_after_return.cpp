// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Seeded bug: reads a local variable of a function that has returned.
// expect: AddressSanitizer: stack-use-after-return

namespace {

volatile int* left_behind = nullptr;

__attribute__((noinline)) void leave() {
  volatile int local = 1;
  left_behind = &local;
}

} // namespace

int main() {
  leave();
  return *left_behind - 1;
}
