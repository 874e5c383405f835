// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Code that blocks its thread, in actors: a database driver that knows nothing of actors, a call with a
// deadline, and one that its caller may leave.
//
// prints: ^the first row is row 1$
// prints: ^the driver says: no such table$
// prints: ^too late for an answer$
// prints: ^0 calls were refused$

//[blocking_program
#include <smarm.hpp>

#include <chrono>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

using namespace std::chrono_literals;

// What stands for the driver: its calls block their thread.
std::string first_row(const std::string& table) {
  std::this_thread::sleep_for(1ms);
  if (table != "orders") {
    throw std::runtime_error("no such table");
  }
  return "row 1";
}

//[blocking_calls
void look_up() {
  const std::string table = "orders";
  std::cout << "the first row is " << smarm::blocking([&] { return first_row(table); }) << '\n';
  try {
    smarm::blocking([] { return first_row("customers"); });
  } catch (const std::runtime_error& e) {
    std::cout << "the driver says: " << e.what() << '\n';
  }
}
//]

//[blocking_detached_call
// The function owns what it works with: it may go on when the caller has left.
void look_up_in_time(const std::string& table) {
  const auto row = smarm::try_blocking_detached_for(5ms, [table] {
    std::this_thread::sleep_for(200ms);
    return first_row(table);
  });
  if (!row && row.error() == smarm::errc::timed_out) {
    std::cout << "too late for an answer\n";
  }
}
//]

int main() {
  smarm::runtime rt({.blocking_threads = 2});
  rt.run([] {
    look_up();
    look_up_in_time("orders");
  });
  const smarm::blocking_stats seen = rt.stats().blocking;
  std::cout << seen.rejected << " calls were refused\n";
}
//]
