// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// One actor, several channels.

//[select_program
#include <smarm.hpp>

#include <iostream>
#include <string>

int main() {
  using namespace std::chrono_literals;
  smarm::run([] {
    auto [to_orders, orders] = smarm::channel<std::string>();
    auto [to_commands, commands] = smarm::channel<int>();

    auto customers = smarm::spawn([tx = std::move(to_orders)] {
      for (const char* what : {"tea", "toast"}) {
        (void)tx.send(what);
      }
    });
    auto manager = smarm::spawn([tx = std::move(to_commands)] { (void)tx.send(42); });
    (void)customers.join();
    (void)manager.join();

    // Tells which one is ready, and takes nothing. Both are: the earlier one wins.
    const std::size_t which = smarm::select(commands, orders);
    std::cout << (which == 0 ? "a command is waiting\n" : "an order is waiting\n");

    // Takes, and runs a handler, until both are closed and nothing is left.
    while (smarm::select(
      smarm::when(commands, [](int c) { std::cout << "command " << c << '\n'; }),
      smarm::when(orders, [](const std::string& o) { std::cout << "order: " << o << '\n'; }))) {
    }

    auto [quiet, nothing] = smarm::channel<int>();
    if (smarm::select_for(1ms, nothing).error() == smarm::errc::timed_out) {
      std::cout << "nobody came\n";
    }
  });
}
//]
