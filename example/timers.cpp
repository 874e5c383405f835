// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Messages that are sent later, cancelled, and sent again and again.
//
// prints: ^order 1: shipped$
// prints: ^order 2: given up$
// prints: ^tick 1$
// prints: ^tick 2$
// prints: ^tick 3$

//[timers_program
#include <smarm.hpp>

#include <chrono>
#include <iostream>
#include <string>

using namespace std::chrono_literals;

//[timers_send_after
// Waits for an answer, and gives up after a while. The reminder comes the same way as the answer.
std::string order(std::chrono::milliseconds warehouse_takes, std::chrono::milliseconds patience) {
  auto [tx, rx] = smarm::channel<std::string>();
  smarm::send_after(warehouse_takes, tx, "shipped"); // stands for the warehouse
  const smarm::timer_id reminder = smarm::send_after(patience, tx, "given up");
  std::string first = rx.recv().value();
  smarm::cancel(reminder); // false, and of no effect, if that was the reminder
  return first;
}
//]

int main() {
  smarm::run([] {
    std::cout << "order 1: " << order(1ms, 1h) << '\n';
    std::cout << "order 2: " << order(1h, 1ms) << '\n';

    //[timers_tick
    auto [tx, rx] = smarm::channel<std::string>();
    const smarm::timer_id pulse = smarm::tick_every(5ms, tx, "tick");
    for (int i = 1; i <= 3; ++i) {
      std::cout << rx.recv().value() << ' ' << i << '\n';
    }
    smarm::cancel(pulse);
    //]
  });
}
//]
