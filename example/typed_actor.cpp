// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// An actor with a type, reached by its pid and by its name, and what becomes of both when it fails.
//
// prints: ^the first one has 3$
// prints: ^by pid: no such actor
// prints: ^the second one has 10$

//[typed_actor_program
#include <smarm.hpp>

#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>

//[typed_actor_type
// What it takes is part of the type; run is its life.
struct counter {
  using message = int;

  explicit counter(std::string title) : title_(std::move(title)) {}

  void run(smarm::receiver<int>& inbox) {
    while (auto n = inbox.recv()) {
      if (*n < 0) {
        throw std::invalid_argument("counters only go up");
      }
      total_ += *n;
      std::cout << title_ << " has " << total_ << '\n';
    }
  }

private:
  std::string title_;
  int total_ = 0;
};
//]

//[typed_actor_name
inline constexpr smarm::name<int> the_counter("counter"); // whoever has the name now
//]

int main() {
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
  rt.run([] {
    //[typed_actor_use
    auto first = smarm::spawn_actor<counter>("the first one");
    (void)smarm::register_name(the_counter, first.id());
    smarm::monitor_ref watch = smarm::monitor(first.id());

    (void)smarm::send(first.id(), 3);   // this actor, and no other
    (void)smarm::send(the_counter, -1); // the same one, by name
    if (watch.recv().value().reason.is_clean()) {
      return;
    }

    auto second = smarm::spawn_actor<counter>("the second one");
    (void)smarm::register_name(the_counter, second.id()); // free since before we heard
    std::cout << "by pid: " << smarm::send(first.id(), 10).error().message() << '\n';
    (void)smarm::send(the_counter, 10);
    //]
    smarm::this_actor::yield(); // lets it count before everybody is sent home
  });
}
//]
