// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Seeded bug: writes one element past a local array.
// expect: AddressSanitizer: stack-buffer-overflow

#include <cstdlib>

// UndefinedBehaviorSanitizer, when run together with it, would be first to stop this.
__attribute__((no_sanitize("undefined"))) int main(int count, char**) {
  int numbers[4] = {};
  volatile int* first = numbers;
  first[3 + count] = 1; // one past the end when started without arguments
  return EXIT_SUCCESS;
}
