// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Actors that stand and fall together, and one that survives and is told.
//
// prints: ^a reader cannot live without its writer: stopped$
// prints: ^told: failed: std::runtime_error: disk full$
// prints: ^asked to go: all saved$

//[links_program
#include <smarm.hpp>

#include <iostream>
#include <stdexcept>
#include <utility>

using namespace std::chrono_literals;

void writes() {
  smarm::this_actor::sleep_for(1ms);
  throw std::runtime_error("disk full");
}

int main() {
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
  rt.run([] {
    //[links_pair
    auto reader = smarm::spawn([] {
      auto writer = smarm::spawn_link(writes); // linked before it can run
      smarm::this_actor::sleep_for(24h);       // ended by the writer's failure
    });
    //]
    std::cout << "a reader cannot live without its writer: " << reader.join() << '\n';

    auto [done, told] = smarm::channel<bool>();
    //[links_trap
    auto keeper = smarm::spawn([tx = std::move(done)] {
      auto exits = smarm::trap_exit(); // from now on a message, where a stop would come
      auto writer = smarm::spawn_link(writes);
      while (auto signal = exits.recv()) {
        if (signal->reason == smarm::exit_kind::shutdown) { // the root has ended
          std::cout << "asked to go: all saved\n";
          return;
        }
        std::cout << "told: " << signal->reason << '\n';
        (void)tx.send(true);
      }
    });
    //]
    (void)told.recv();
  });
}
//]
