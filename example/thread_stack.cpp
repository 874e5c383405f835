// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Foreign code that needs more stack than an actor has: it is run on the scheduler's own stack.
//
// prints: ^depth 10000 reached$
// prints: ^inside nothing may wait: .*$
// prints: ^what it throws comes through: too deep$

//[thread_stack_program
#include <smarm.hpp>

#include <boost/system/system_error.hpp>

#include <iostream>
#include <stdexcept>

// Stands for a recursive parser: its 10 000 levels take more than 2 MB, and an
// actor's stack has 256 KiB.
int descend(int levels) {
  volatile char frame[192] = {};
  return levels == 0 ? frame[0] : descend(levels - 1) + 1 + frame[191];
}

int main() {
  smarm::run([] {
    const int depth = smarm::this_actor::run_on_thread_stack([] { return descend(10'000); });
    std::cout << "depth " << depth << " reached\n";

    smarm::join_handle other = smarm::spawn([] {});
    try {
      smarm::this_actor::run_on_thread_stack([&] { other.join(); });
    } catch (const boost::system::system_error& e) {
      std::cout << "inside nothing may wait: " << e.code().message() << '\n';
    }

    try {
      smarm::this_actor::run_on_thread_stack([] { throw std::length_error("too deep"); });
    } catch (const std::length_error& e) {
      std::cout << "what it throws comes through: " << e.what() << '\n';
    }
  });
}
//]
