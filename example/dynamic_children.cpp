// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A supervisor for children that come and go: one session for each visitor, as many as there may be.
//
// prints: ^ann: 2 requests$
// prints: ^a third one: too many children
// prints: ^ann has left, 1 session is left$
// prints: ^report: restarts child "bob"
// prints: ^bob: 0 requests$
// prints: ^after the end: 0 sessions$

//[dynamic_children_program
#include <smarm.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

using namespace std::chrono_literals;

class session : public smarm::gen_server<session> {
public:
  struct request {};
  struct served {};
  struct leave {};
  struct fail {};

  explicit session(int& open) : open_(open) { ++open_; }
  ~session() { --open_; }

  void handle_cast(request) { ++served_; }
  int handle_call(served) const { return served_; }
  void handle_cast(leave) { stop(); }
  void handle_cast(fail) { throw std::runtime_error("bad request"); }

private:
  int& open_;
  int served_ = 0;
};

int main() {
  int open = 0;
  int served = -1;
  smarm::runtime rt({.schedulers = 1, .reports = [](const smarm::report& r) {
                       if (r.kind == smarm::report_kind::child_restarted) {
                         std::cout << "report: " << r.text << '\n';
                       }
                     }});
  rt.run([&] {
    //[dynamic_children_use
    auto sessions = smarm::start_dynamic_supervisor({.max_children = 2}).value();
    const auto open_session = [&](const std::string& who) {
      return sessions.start_child<session>(
          {.id = who, .restart = smarm::restart::transient}, std::ref(open));
    };
    smarm::server_ref<session> ann = open_session("ann").value();
    smarm::server_ref<session> bob = open_session("bob").value();
    //]
    (void)ann.cast(session::request{});
    (void)ann.cast(session::request{});
    std::cout << "ann: " << ann.call(session::served{}).value() << " requests\n";
    std::cout << "a third one: " << open_session("eve").error().message() << '\n';

    smarm::monitor_ref gone = smarm::monitor(ann.id());
    (void)ann.cast(session::leave{});
    (void)gone.recv();
    std::cout << "ann has left, " << sessions.count_children()->active << " session is left\n";

    gone = smarm::monitor(bob.id());
    (void)bob.cast(session::fail{});
    (void)gone.recv();
    //[dynamic_children_which
    for (const smarm::child_info& child : sessions.which_children().value()) {
      bob = sessions.find_child<session>(child.actor).value(); // in his next life
      served = bob.call(session::served{}).value();
      std::cout << child.id << ": " << served << " requests\n";
    }
    //]
    (void)sessions.shutdown(10s);
    std::cout << "after the end: " << open << " sessions\n";
  });
  return served == 0 && open == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
//]
