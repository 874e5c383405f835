// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// What the README shows.
//
// prints: ^42$
// prints: ^crashed: the server ended before it answered
// prints: ^started again: 0$

//[taste_program
#include <smarm.hpp>

#include <chrono>
#include <iostream>
#include <stdexcept>

using namespace std::chrono_literals;

// A server: its state, and a handler for each thing it can be told or asked. No locks: one handler at a time.
class counter : public smarm::gen_server<counter> {
public:
  struct add {
    int by;
  };
  struct total {};

  void handle_cast(add m) {
    if (m.by < 0) {
      throw std::invalid_argument("negative"); // ends this server, and nothing else
    }
    total_ += m.by;
  }
  int handle_call(total) const { return total_; } // what it returns is the answer

private:
  int total_ = 0;
};
inline constexpr smarm::server_name<counter> the_counter{"counter"};

int main() {
  smarm::run([] { // the first actor
    auto tree = smarm::start_supervisor(
                    {}, {{.id = "counter", .start = smarm::server(the_counter), .shutdown = 1s}})
                    .value();

    auto worker = smarm::spawn([] {       // a green thread with a stack of its own
      smarm::this_actor::sleep_for(10ms); // suspends this actor, and no thread
      (void)the_counter.cast(counter::add{40});
    });
    (void)the_counter.cast(counter::add{2});
    (void)worker.join();
    std::cout << the_counter.call(counter::total{}, 1s).value() << '\n'; // 42

    (void)the_counter.cast(counter::add{-1});
    if (const auto answer = the_counter.call(counter::total{}, 1s); !answer) {
      std::cout << "crashed: " << answer.error().message() << '\n';
    }
    (void)smarm::wait_for_name("counter", 1s); // its supervisor starts it again
    std::cout << "started again: " << the_counter.call(counter::total{}, 1s).value() << '\n';
  });
}
//]
