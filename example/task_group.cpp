// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Many pieces of work, a few at a time, and all of them over when the scope is left.
//
// prints: ^16 squares, at most 3 at once: sum 1240$
// prints: ^one failed: no square of 13$
// prints: ^left: nobody waits any more$

//[task_group_program
#include <smarm.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <stdexcept>
#include <string>

using namespace std::chrono_literals;

struct totals {
  int count = 0;
  long sum = 0;
  int at_work = 0;
  int most = 0;
};

void square(int n, smarm::synchronized<totals>& all) {
  all.with_lock([](totals& t) { t.most = std::max(t.most, ++t.at_work); });
  smarm::this_actor::yield(); // the work
  all.with_lock([n](totals& t) {
    --t.at_work;
    ++t.count;
    t.sum += long{n} * n;
  });
}

int main() {
  const smarm::report_sink no_reports = [](const smarm::report&) {};
  smarm::runtime({.schedulers = 1, .reports = no_reports}).run([] {
    smarm::synchronized<totals> all;
    {
      smarm::task_group group(3);
      for (int n = 0; n < 16; ++n) {
        group.spawn([n, &all] { square(n, all); }); // waits while three are at work
      }
      group.wait();
    }
    const totals t = all.copy();
    std::cout << t.count << " squares, at most " << t.most << " at once: sum " << t.sum << '\n';

    try {
      smarm::task_group group;
      for (int n = 10; n < 16; ++n) {
        group.spawn([n, &all] {
          if (n == 13) {
            throw std::runtime_error("no square of " + std::to_string(n));
          }
          square(n, all);
        });
      }
      group.wait(); // for all of them, then it throws
    } catch (const std::exception& e) {
      std::cout << "one failed: " << e.what() << '\n';
    }

    {
      smarm::task_group group;
      group.spawn([] { smarm::this_actor::sleep_for(1h); });
    } // shut down and waited for
    std::cout << "left: nobody waits any more\n";
  });
}
//]
