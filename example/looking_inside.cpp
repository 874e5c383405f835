// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// Looking at a server that runs, and holding it: what an operator does at night, with a name or a pid and
// no word of the server's own source. A failed one says in its report what it was doing.
//
// prints: ^state: 3 jobs done, 0 failed$
// prints: ^suspended: timed_out$
// prints: received a call of press::print$
// prints: replied to a call of press::print$
// prints: ^repaired: 0 jobs done, 0 failed$
// prints: ^report: .*paper jam; while it handled a cast of press::jam; a press with 1 request queued, state: 1 jobs done, 1 failed$

//[looking_inside_program
#include <smarm.hpp>

#include <chrono>
#include <iostream>
#include <ostream>
#include <stdexcept>

using namespace std::chrono_literals;

//[looking_inside_class
class press : public smarm::gen_server<press> {
public:
  struct print {};
  struct jam {};

  int handle_call(print) { return ++done_; }
  void handle_cast(jam) {
    ++failed_;
    throw std::runtime_error("paper jam");
  }
  void describe(std::ostream& out) const { out << done_ << " jobs done, " << failed_ << " failed"; }
  void reset() { done_ = 0; }

private:
  int done_ = 0, failed_ = 0;
};
//]

inline constexpr smarm::server_name<press> the_press{"press"};

void look() {
  namespace sys = smarm::sys;
  auto server = the_press.start().value();
  for (int i = 0; i < 3; ++i) {
    (void)server.call(press::print{});
  }

  //[looking_inside_use
  std::cout << "state: " << sys::state("press").value() << '\n'; // a name, a pid, a ref

  (void)sys::suspend(server.id());
  auto answer = server.call(press::print{}, 10ms);
  std::cout << "suspended: " << (answer ? "answered" : "timed_out") << '\n';
  (void)sys::resume(the_press, 1s);

  (void)sys::trace(server, [](const sys::event& e) { std::cout << e << '\n'; });
  (void)server.call(press::print{});
  (void)sys::untrace(server);
  std::cout << sys::statistics(server).value();
  //]

  //[looking_inside_with_state
  (void)sys::with_state(server, [](press& p) { p.reset(); });
  //]
  std::cout << "repaired: " << sys::state(server).value() << '\n';

  (void)server.call(press::print{});
  (void)sys::suspend(server);
  (void)server.cast(press::jam{});
  auto lost = server.send_request(press::print{}).value();
  (void)sys::resume(server);
  (void)lost.recv(); // server_down
}

int main() {
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report& r) {
                       std::cout << "report: " << r.text << "; " << r.details << '\n';
                     }});
  rt.run(look);
}
//]
