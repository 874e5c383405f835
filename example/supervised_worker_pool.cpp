// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A pool of workers, each with a connection of its own: requests go to whoever is idle, more workers come
// while there is much to do, and one that fails is replaced.
//
// prints: ^six times seven: 42$
// prints: ^a lease: 2 of 2 in one session
// prints: ^too long in the queue: the deadline passed
// prints: ^a broken one: the server ended before it answered
// prints: ^the next one: 42$
// prints: ^workers: 2, of them idle: 2$

//[supervised_worker_pool_program
#include <smarm.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>

using namespace std::chrono_literals;

//[supervised_worker_pool_class
class calculator : public smarm::gen_server<calculator> {
public:
  struct multiply {
    long a, b;
  };
  struct divide {
    long a, b;
  };
  struct session {};
  struct slow {
    smarm::receiver<int> until;
  };

  explicit calculator(std::string host) : host_(std::move(host)) {} // a copy for each worker

  long handle_call(multiply m) const { return m.a * m.b; }
  long handle_call(divide m) const {
    if (m.b == 0) {
      throw std::domain_error("division by zero"); // the worker fails, and only it
    }
    return m.a / m.b;
  }
  int handle_call(session) { return ++requests_; }
  void handle_cast(slow s) { (void)s.until.recv(); } // may wait; the others go on

private:
  std::string host_;
  int requests_ = 0;
};
//]

int main() {
  long product = 0, again = 0;
  smarm::run([&] {
    //[supervised_worker_pool_tree
    const smarm::worker_pool<calculator> pool({.size = 2, .max_waiting = 100}, "calc.example");
    auto tree =
        smarm::start_supervisor({}, {{.id = "calculators", .start = pool.as_child()}}).value();
    //]

    //[supervised_worker_pool_call
    product = pool.call(calculator::multiply{6, 7}, 10min).value();
    //]
    std::cout << "six times seven: " << product << '\n';

    //[supervised_worker_pool_lease
    {
      const auto worker = pool.check_out(10min).value(); // nobody else has it meanwhile
      int n = 0;
      for (int i = 0; i < 2; ++i) {
        n = worker->call(calculator::session{}).value();
      }
      std::cout << "a lease: " << n << " of 2 in one session\n";
    } // it goes back, also if this actor fails or is stopped
    //]

    {
      auto [gate, until] = smarm::channel<int>();
      auto [gate2, until2] = smarm::channel<int>();
      (void)pool.cast(calculator::slow{std::move(until)});
      (void)pool.cast(calculator::slow{std::move(until2)});
      //[supervised_worker_pool_deadline
      const auto late = pool.call(calculator::multiply{1, 1}, 1ms); // both are busy
      std::cout << "too long in the queue: " << late.error().message() << '\n';
      //]
    }

    //[supervised_worker_pool_failure
    const auto broken = pool.call(calculator::divide{1, 0}, 10min);
    std::cout << "a broken one: " << broken.error().message() << '\n';
    again = pool.call(calculator::multiply{6, 7}, 10min).value(); // by another one
    //]
    std::cout << "the next one: " << again << '\n';

    auto now = pool.statistics().value();
    while (now.idle != 2) {
      smarm::this_actor::yield();
      now = pool.statistics().value();
    }
    std::cout << "workers: " << now.workers << ", of them idle: " << now.idle << '\n';
    (void)tree.shutdown(10min).value();
  });
  return product == 42 && again == 42 ? EXIT_SUCCESS : EXIT_FAILURE;
}
//]
