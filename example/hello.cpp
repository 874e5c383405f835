// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The smallest program: a runtime, an actor, and how it ended.
//
// prints: ^hello from <.*>$
// prints: ^<.*> ended: normal$

//[hello_program
#include <smarm.hpp>

#include <iostream>

int main() {
  smarm::run([] { // the root actor; run returns when every actor has ended
    smarm::join_handle greeter = smarm::spawn(
        [] { std::cout << "hello from " << smarm::this_actor::self() << '\n'; });

    const smarm::exit_status ended = greeter.join(); // suspends the root, not the thread
    std::cout << greeter.id() << " ended: " << ended << '\n';
  });
}
//]
