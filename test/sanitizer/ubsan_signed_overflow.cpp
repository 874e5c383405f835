// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Seeded bug: a signed sum beyond its type.
// expect: runtime error: signed integer overflow

#include <limits>

int main(int count, char**) {
  volatile int largest = std::numeric_limits<int>::max();
  volatile int sum = largest + count;
  return sum == 0 ? 1 : 0;
}
