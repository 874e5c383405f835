// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Stopping an actor: it is left by its own stack, destructor by destructor, wherever it waits.
//
// prints: ^1: session opened$
// prints: ^1: session closed$
// prints: ^first: stopped, not clean$
// prints: ^2: session opened$
// prints: ^2: session closed$
// prints: ^second: shutdown, clean$

//[stop_program
#include <smarm.hpp>

#include <chrono>
#include <iostream>

using namespace std::chrono_literals;

class session {
public:
  explicit session(int number) : number_(number) { say("session opened"); }
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session() { say("session closed"); }

private:
  void say(const char* what) const { std::cout << number_ << ": " << what << '\n'; }
  int number_;
};

void serve(int number) {
  const session open(number);
  for (;;) {
    try {
      smarm::this_actor::sleep_for(1h); // a stop is raised here, at once
    } catch (const std::exception& e) {
      std::cout << "not reached: " << e.what() << '\n'; // a stop is no std::exception
    }
  }
}

void tell(const char* who, const smarm::exit_status& ended) {
  std::cout << who << ": " << ended << (ended.is_clean() ? ", clean\n" : ", not clean\n");
}

int main() {
  smarm::run([] {
    smarm::join_handle first = smarm::spawn([] { serve(1); });
    smarm::this_actor::yield(); // lets it begin
    smarm::request_stop(first.id());
    tell("first", first.join());

    // The same, but as an ending in good order: nobody need be told, nothing need be restarted.
    smarm::join_handle second = smarm::spawn([] { serve(2); });
    smarm::this_actor::yield();
    smarm::request_shutdown(second.id());
    tell("second", second.join());
  });
}
//]
