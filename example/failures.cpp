// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A failure stays inside its actor: whoever joins it gets a value, the operator gets a report, and
// everybody else goes on.
//
// prints: ^report: "parser" failed: std::invalid_argument: stoi$
// prints: ^no number: stoi$
// prints: ^parsed 42$
// prints: ^report: "" failed: std::runtime_error: nothing left to do$
// prints: ^main has it back: nothing left to do$
// prints: ^2 reports$

//[failures_program
#include <smarm.hpp>

#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

void parse(const std::string& text) {
  int number = 0;
  smarm::join_handle parser =
      smarm::spawn({.label = "parser"}, [&] { number = std::stoi(text); });

  const smarm::exit_status ended = parser.join();
  if (ended == smarm::exit_kind::normal) {
    std::cout << "parsed " << number << '\n';
    return;
  }
  try {
    std::rethrow_exception(ended.exception()); // what the actor threw, for those who want it back
  } catch (const std::invalid_argument& e) {
    std::cout << "no number: " << e.what() << '\n';
  }
}
//]

//[failures_sink
int main() {
  int reports = 0;
  smarm::runtime rt({
      .schedulers = 1,
      .reports =
          [&](const smarm::report& r) {
            ++reports;
            std::cout << "report: \"" << r.label << "\" " << r.reason << '\n';
          },
  });
  try {
    rt.run([] {
      parse("fortytwo");
      parse("42");
      throw std::runtime_error("nothing left to do"); // the root's failure is also the caller's
    });
  } catch (const std::runtime_error& e) {
    std::cout << "main has it back: " << e.what() << '\n';
  }
  std::cout << reports << " reports\n";
}
//]
