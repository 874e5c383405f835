// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Bounded channels: a sender that is slowed down to its receiver's pace, and one that drops.
//
// prints: ^sum 5050, the sender waited: yes$
// prints: ^kept 7 8 9, dropped 7$
// prints: ^still mine: urgent$

//[bounded_channel_program
#include <smarm.hpp>

#include <chrono>
#include <iostream>
#include <string>

using namespace std::chrono_literals;

void slowed_down() {
  auto [tx, rx] = smarm::channel<int>({.capacity = 4}); // overflow::block: a send waits for room
  auto counting = smarm::spawn([out = std::move(tx)] {
    for (int i = 1; i <= 100; ++i) {
      (void)out.send(i);
    }
  });
  int sum = 0;
  while (auto n = rx.recv()) {
    sum += *n;
  }
  (void)counting.join();
  std::cout << "sum " << sum << ", the sender waited: "
            << (rx.overflows().blocked > 0 ? "yes" : "no") << '\n';
}

void latest_only() {
  auto [tx, rx] =
    smarm::channel<int>({.capacity = 3, .when_full = smarm::overflow::drop_oldest});
  for (int i = 0; i < 10; ++i) {
    (void)tx.send(i); // never waits
  }
  std::cout << "kept";
  while (auto n = rx.try_recv()) {
    std::cout << ' ' << *n;
  }
  std::cout << ", dropped " << rx.overflows().dropped_oldest << '\n';
}

void not_for_ever() {
  auto [tx, rx] = smarm::channel<std::string>({.capacity = 1});
  (void)tx.send("first");
  std::string message = "urgent";
  if (auto sent = tx.send_for(std::move(message), 1ms); !sent) { // errc::timed_out
    std::cout << "still mine: " << message << '\n';              // a send that fails moves nothing
  }
}

int main() {
  smarm::run([] {
    slowed_down();
    latest_only();
    not_for_ever();
  });
}
//]
