// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Two actors that wait for each other, and how that shows: kill -QUIT writes all stacks.
//
// prints: ^runtime 1: 1 schedulers, 3 actors$
// prints: "left" waits for a message; [0-9]+ of [0-9]+ bytes of stack in use$
// prints: "right" waits for a message;
// prints: ^    #1 .*\+0x[0-9a-f]+
// prints: ^smarm: end of the stacks$

//[stacks_program
#include <smarm.hpp>

#include <chrono>
#include <csignal>
#include <utility>

using namespace std::chrono_literals;

void echo(smarm::receiver<int> from, smarm::sender<int> to) {
  while (auto got = from.recv()) {
    (void)to.send(*got);
  }
}

int main() {
  //[stacks_use
  smarm::dump_stacks_on(SIGQUIT, 1).value(); // 1: standard output
  //]
  smarm::runtime rt({.schedulers = 1});
  rt.run([] {
    auto [to_left, left] = smarm::channel<int>();
    auto [to_right, right] = smarm::channel<int>();
    auto a = smarm::spawn({.label = "left"}, [from = std::move(left), to = to_right]() mutable {
      echo(std::move(from), std::move(to)); // and who begins?
    });
    auto b = smarm::spawn({.label = "right"}, [from = std::move(right), to = to_left]() mutable {
      echo(std::move(from), std::move(to));
    });
    smarm::this_actor::sleep_for(10ms);
    (void)std::raise(SIGQUIT); // as an operator would
    smarm::no_stack_dumps();   // waits until all is written
    (void)smarm::request_stop(a.id());
    (void)smarm::request_stop(b.id());
    (void)a.join();
    (void)b.join();
  });
}
//]
