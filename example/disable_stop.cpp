// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Steps that belong together are not torn apart by a stop: it is put off, not lost.
//
// prints: ^taken from one account$
// prints: ^asked to stop meanwhile: true$
// prints: ^put into the other$
// prints: ^transfer: stopped$

//[disable_stop_program
#include <smarm.hpp>

#include <chrono>
#include <iostream>

using namespace std::chrono_literals;

void transfer() {
  {
    const smarm::disable_stop both_or_neither;
    std::cout << "taken from one account\n";
    smarm::this_actor::sleep_for(10ms); // waits, and for the whole time
    std::cout << "asked to stop meanwhile: " << std::boolalpha
              << smarm::this_actor::stop_requested() << '\n';
    std::cout << "put into the other\n";
  }
  smarm::this_actor::checkpoint(); // the stop is raised here, the first point after the block
  std::cout << "not reached\n";
}

int main() {
  smarm::run([] {
    smarm::join_handle transferring = smarm::spawn(transfer);
    smarm::this_actor::yield(); // lets it begin
    smarm::request_stop(transferring.id());
    const smarm::exit_status ended = transferring.join();
    std::cout << "transfer: " << ended << '\n';
  });
}
//]
