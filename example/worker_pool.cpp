// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A pool of workers behind one name. One of them fails over its job: somebody else takes its place, and
// what it had not come to goes to others.
//
// prints: ^4 workers$
// prints: ^job 13 has taken its worker along$
// prints: ^job 17 goes to another one$
// prints: ^19 answers, sum 2701, 4 workers$

//[worker_pool_program
#include <smarm.hpp>

#include <iostream>
#include <map>
#include <stdexcept>
#include <utility>

struct job {
  int number;
  smarm::sender<std::pair<int, int>> answer;
};

//[worker_pool_group
struct worker;
inline constexpr smarm::process_group<worker> pool("pool");

struct worker {
  using message = job;

  void run(smarm::receiver<job>& jobs) {
    pool.join().value();
    while (auto next = jobs.recv()) {
      if (next->number == 13) {
        throw std::domain_error("no luck");
      }
      (void)next->answer.send({next->number, next->number * next->number});
    }
  }
};
//]

int main() {
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
  rt.run([] {
    //[worker_pool_monitor
    auto [changes, members] = pool.monitor();
    for (int i = 0; i < 4; ++i) {
      smarm::spawn_actor<worker>().detach();
    }
    for (int i = 0; i < 4; ++i) {
      (void)changes.recv(); // it has joined
    }
    std::cout << pool.size() << " workers\n";
    //]

    //[worker_pool_dispatch
    auto [to_me, answers] = smarm::channel<std::pair<int, int>>();
    std::map<int, smarm::pid> open; // who has which job
    for (int n = 1; n <= 20; ++n) {
      open[n] = pool.dispatch(job{n, to_me}).value();
    }
    //]
    int answered = 0;
    int sum = 0;
    while (!open.empty()) {
      if (smarm::select(answers, changes) == 0) {
        const auto [number, square] = answers.recv().value();
        open.erase(number);
        ++answered;
        sum += square;
        continue;
      }
      //[worker_pool_replace
      const auto change = changes.recv().value();
      if (change.what == smarm::group_change::joined) {
        continue;
      }
      smarm::spawn_actor<worker>().detach();
      bool first = true;
      for (auto it = open.begin(); it != open.end();) {
        if (it->second != change.member) {
          ++it;
        } else if (std::exchange(first, false)) {
          std::cout << "job " << it->first << " has taken its worker along\n";
          it = open.erase(it);
        } else {
          std::cout << "job " << it->first << " goes to another one\n";
          it->second = pool.dispatch(job{it->first, to_me}).value();
          ++it;
        }
      }
      //]
    }
    std::cout << answered << " answers, sum " << sum << ", " << pool.size() << " workers\n";
  });
}
//]
