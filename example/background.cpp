// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A runtime beside a program that has a main loop of its own: started, given work from outside, and
// shut down with a limit. What has not ended by then is named, with what it is doing.
//
// prints: ^joined by main: normal$
// prints: ^1 left: .*"stubborn".* running on scheduler 
// prints: ^0 left$
// prints: ^too late: .*runtime

//[background_program
#include <smarm.hpp>

#include <atomic>
#include <chrono>
#include <iostream>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

void show(const std::vector<smarm::survivor>& left) {
  std::cout << left.size() << " left";
  for (const smarm::survivor& one : left) {
    std::cout << ": " << one;
  }
  std::cout << '\n';
}

int main() {
  smarm::runtime rt({.schedulers = 2});
  rt.start(); // returns; the schedulers have threads of their own
  const smarm::runtime_handle actors = rt.handle(); // to be copied to whoever may start actors

  smarm::join_handle quick = actors.spawn([] { smarm::this_actor::sleep_for(1ms); });
  std::cout << "joined by main: " << quick.join() << '\n'; // blocks this thread, which is no actor

  // An actor that computes without a checkpoint cannot be stopped, only waited for.
  std::atomic<bool> computing{false}, enough{false};
  actors.spawn({.label = "stubborn"}, [&] {
    computing = true;
    while (!enough) {
    }
  }).detach();
  while (!computing) {
    std::this_thread::yield();
  }
  show(rt.shutdown(100ms));

  enough = true;
  show(rt.shutdown(1min));

  const auto late = actors.try_spawn([] {});
  std::cout << "too late: " << late.error().message() << '\n';
}
//]
