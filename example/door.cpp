// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A state machine: a door that can be open, closed or locked. With --graph it prints its table for
// Graphviz instead:  door --graph | dot -Tsvg
//
// prints: ^it is closed$
// prints: ^the wrong key: locked$
// prints: ^the right key, and the push that has waited: open$
// prints: ^left alone: closed$

//[door_program
#include <smarm.hpp>

#include <boost/describe/enum.hpp>

#include <chrono>
#include <iostream>
#include <string_view>

using namespace std::chrono_literals;

//[door_class
BOOST_DEFINE_ENUM_CLASS(door_state, closed, open, locked)

class door : public smarm::gen_statem<door, door_state> {
  using enum door_state;

public:
  struct push {};
  struct lock {};
  struct unlock {
    int key;
    using reply = bool; // it is called, and answered
  };
  struct left_alone {};
  using events = smarm::events<push, lock, unlock, left_alone>;

  smarm::to<open> on(smarm::in<closed>, push) { return {}; }
  smarm::to<closed> on(smarm::in<open>, push) { return {}; }
  smarm::postponed on(smarm::in<locked>, push); // until it is not: a row without a body

  smarm::to<locked> on(smarm::in<closed>, lock) { return {}; }
  smarm::ignored on(smarm::in<open, locked>, lock);

  smarm::one_of<closed, locked> on(smarm::in<locked>, unlock u, smarm::reply_to<bool> answer) {
    const bool fits = u.key == 1234;
    answer.reply(fits);
    if (fits) {
      return closed;
    }
    return locked;
  }
  smarm::stay on(smarm::any_state, unlock, smarm::reply_to<bool> answer) {
    answer.reply(false);
    return {};
  }

  // What is open for long falls shut.
  void enter(smarm::in<open>) { state_timeout(20ms, left_alone{}); }
  smarm::to<closed> on(smarm::in<open>, left_alone) { return {}; }
  smarm::ignored on(smarm::any_state, left_alone);
};
//]

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--graph") {
    //[door_graph
    std::cout << smarm::transition_graph<door>();
    //]
    return 0;
  }
  smarm::run([] {
    //[door_use
    auto d = smarm::start_server<door>().value();
    std::cout << "it is " << smarm::sys::state(d).value() << '\n';

    (void)d.cast(door::lock{});
    (void)d.cast(door::push{}); // waits for the right key
    (void)d.call(door::unlock{1}, 1s).value();
    std::cout << "the wrong key: " << smarm::sys::state(d).value() << '\n';
    (void)d.call(door::unlock{1234}, 1s).value();
    while (smarm::sys::state(d).value() != "open") {
      smarm::this_actor::yield();
    }
    std::cout << "the right key, and the push that has waited: open\n";
    while (smarm::sys::state(d).value() != "closed") {
      smarm::this_actor::sleep_for(1ms);
    }
    std::cout << "left alone: closed\n";
    //]
  });
}
//]
