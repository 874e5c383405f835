// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server that does nothing itself: each call gets an actor of its own, and is answered when that one
// has ended, however it did. What is slow to begin with goes on after the start.
//
// prints: ^warmed up$
// prints: ^fine: normal$
// prints: ^broken: failed: std::runtime_error: paper jam$
// prints: ^ends: shutdown$

//[dispatcher_program
#include <smarm.hpp>

#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

using namespace std::chrono_literals;

//[dispatcher_class
class dispatcher : public smarm::gen_server<dispatcher> {
public:
  struct run {
    std::function<void()> job;
  };

  void init() { continue_with(warm_up{}); }

  void handle_call(run r, smarm::reply_to<std::string> caller) {
    auto worker = smarm::spawn(std::move(r.job));
    watch(worker.id());
    callers_.emplace(worker.id(), std::move(caller)); // answered in handle_down
  }

  void handle_down(const smarm::down& end) {
    callers_.extract(end.actor).mapped().reply(end.reason.text());
  }

  struct warm_up {};
  void handle_continue(warm_up) { std::cout << "warmed up\n"; } // before any call

  void terminate(const smarm::exit_reason& why) { std::cout << "ends: " << why << '\n'; }

private:
  std::map<smarm::pid, smarm::reply_to<std::string>> callers_;
};
//]

int main() {
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report&) {}});
  rt.run([] {
    auto jobs = smarm::start_server<dispatcher>().value();
    std::cout << "fine: " << jobs.call(dispatcher::run{[] {}}).value() << '\n';
    std::cout << "broken: "
              << jobs.call(dispatcher::run{[] { throw std::runtime_error("paper jam"); }}).value()
              << '\n';
    (void)jobs.shutdown(smarm::exit_kind::shutdown, 10min).value();
  });
}
//]
