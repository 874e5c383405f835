// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A program that ends in good order at SIGTERM, and says how that went.
//
// prints: ^shop: started storage in
// prints: ^shop: started front in
// prints: ^shop: SIGTERM$
// prints: ^shop: ended in .*, in good order: SIGTERM$
// prints: ^  front    ended in
// prints: ^  storage  ended in

//[application_program
#include <smarm.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string_view>

using namespace std::chrono_literals;

class storage : public smarm::gen_server<storage> {
public:
  void terminate(const smarm::exit_reason&) {} // writes what is left to write
};

class front : public smarm::gen_server<front> {};

//[application_main
int main() {
  smarm::application shop(
      {.name = "shop",
       .stop_limit = 20s, // less than what the system gives a service before it kills it
       .stop_signals = {SIGTERM, SIGINT},
       .log =
           [](std::string_view line) {
             std::cout << line << '\n';
             if (line.starts_with("shop: started front")) {
               (void)std::raise(SIGTERM); // as somebody from outside will
             }
           }},
      {
          {.id = "storage",
           .start = smarm::supervision_tree({}, {{.id = "db", .start = smarm::server<storage>()}})},
          {.id = "front",
           .start = smarm::supervision_tree({}, {{.id = "http", .start = smarm::server<front>()}})},
      });
  return shop.run({.schedulers = 2});
}
//]
//]
