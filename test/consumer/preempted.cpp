// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A user's program whose allocations are checkpoints: one actor allocates for as long as another has
// not run, on the only scheduler there is.

#include <smarm.hpp>

#include <memory>

int main() {
  bool other_ran = false;
  smarm::runtime rt({.schedulers = 1, .timeslice_cycles = 1000});
  rt.run([&] {
    auto other = smarm::spawn([&] { other_ran = true; });
    while (!other_ran) {
      const std::unique_ptr<int> allocated(new int(1));
      static int* volatile seen;
      seen = allocated.get();
    }
    (void)other.join();
  });
}
