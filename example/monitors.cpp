// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Hearing of the end of another actor, and acting on it: a worker that fails is replaced.
//
// prints: ^the worker failed: std::runtime_error: out of paper$
// prints: ^its name is free: yes$
// prints: ^the next one prints a page$
// prints: ^the worker ended: normal$
// prints: ^too late for a monitor: no_process$

//[monitors_program
#include <smarm.hpp>

#include <iostream>
#include <stdexcept>
#include <string>

struct printer {
  using message = std::string;

  explicit printer(int pages) : pages_(pages) {}

  void run(smarm::receiver<std::string>& jobs) {
    while (auto job = jobs.recv()) {
      if (*job == "enough") {
        return;
      }
      if (pages_ == 0) {
        throw std::runtime_error("out of paper");
      }
      std::cout << "the next one prints " << *job << '\n';
    }
  }

private:
  int pages_;
};

inline constexpr smarm::name<std::string> the_printer("printer");

int main() {
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
  rt.run([] {
    auto first = smarm::spawn_actor<printer>(0);
    (void)smarm::register_name(the_printer, first.id());

    //[monitors_use
    smarm::monitor_ref watch = smarm::monitor(first.id());
    (void)smarm::send(the_printer, "a page");

    const smarm::down end = watch.recv().value(); // or an arm of a select
    if (!end.reason.is_clean()) {
      std::cout << "the worker " << end.reason << '\n';
    }
    //]
    std::cout << "its name is free: " << (smarm::whereis("printer") ? "no" : "yes") << '\n';

    auto second = smarm::spawn_actor<printer>(100);
    (void)smarm::register_name(the_printer, second.id());
    smarm::monitor_ref again = smarm::monitor(second.id());
    (void)smarm::send(the_printer, "a page");
    (void)smarm::send(the_printer, "enough");
    const smarm::down good = again.recv().value();
    std::cout << "the worker ended: " << good.reason << '\n';

    smarm::monitor_ref late = smarm::monitor(second.id()); // the dead are told of at once
    std::cout << "too late for a monitor: " << late.try_recv().value().reason << '\n';
  });
}
//]
