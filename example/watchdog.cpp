// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An actor that keeps its scheduler to itself, and the watchdog that tells of it.
//
// prints: ^long slice: "cruncher" has been running on scheduler [01] for .* without a stop point

//[watchdog_program
#include <smarm.hpp>

#include <atomic>
#include <chrono>
#include <iostream>

using namespace std::chrono_literals;

int main() {
  std::atomic<bool> told{false};
  //[watchdog_use
  smarm::runtime rt({.schedulers = 2,
                     .reports =
                         [&](const smarm::report& r) {
                           std::cout << to_string(r.kind) << ": \"" << r.label << "\" " << r.text
                                     << '\n';
                           told = true;
                         },
                     .watchdog = smarm::watchdog_options{.interval = 10ms, .long_slice = 50ms}});
  //]
  rt.run([&] {
    (void)smarm::spawn({.label = "cruncher"}, [&] {
      while (!told) {
        // A checkpoint is missing here.
      }
    }).join();
  });
}
//]
