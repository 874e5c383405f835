// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// The connection to a device, which comes and goes: it is tried again after a while, and each time
// later; requests wait until it is there; and while it is there it is asked for a sign of life. With
// --graph it prints its table for Graphviz instead:  connection --graph | dot -Tsvg
//
// prints: ^try 1 failed, the next in 1 ms$
// prints: ^try 2 failed, the next in 2 ms$
// prints: ^try 3 failed, the next in 4 ms$
// prints: ^connected at try 4$
// prints: ^asked before it was there: 21 degrees$
// prints: ^silent, but still there$
// prints: ^the device is gone$

//[connection_program
#include <smarm.hpp>

#include <boost/describe/enum.hpp>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <string_view>
#include <utility>

using namespace std::chrono_literals;

// What stands for the device: it refuses the first tries, answers, and once goes away.
class device : public smarm::gen_server<device> {
public:
  struct dial {};
  struct measure {};

  bool handle_call(dial) { return ++dialed_ > 3; }
  int handle_call(measure) const { return 21; }

private:
  int dialed_ = 0;
};

//[connection_class
BOOST_DEFINE_ENUM_CLASS(link_state, waiting, dialing, up)

class connection : public smarm::gen_statem<connection, link_state> {
  using enum link_state;

public:
  struct dial {};
  struct measure {
    using reply = int;
  };
  struct silence {};
  using events = smarm::events<dial, measure, silence, smarm::down>;

  explicit connection(smarm::server_ref<device> to) : device_(std::move(to)) {}
  void init() {
    watch(device_.id());
    next_event(dial{});
  }

  // It is tried again after a while, each time a longer one.
  void enter(smarm::in<waiting>, link_state from) {
    if (from == waiting) {
      return; // it begins: init has told it to dial
    }
    if (from == dialing) {
      std::cout << "try " << tries_ << " failed, the next in " << delay_.count() << " ms\n";
    }
    state_timeout(delay_, dial{});
    delay_ = std::min<std::chrono::milliseconds>(2 * delay_, 1s);
  }
  smarm::to<dialing> on(smarm::in<waiting>, dial) {
    next_event(dial{}); // once it is there
    return {};
  }

  // That may take its time; what comes meanwhile is queued.
  smarm::one_of<waiting, up> on(smarm::in<dialing>, dial) {
    ++tries_;
    if (const auto done = device_.call(device::dial{}, 1s); done && *done) {
      return up;
    }
    return waiting;
  }

  void enter(smarm::in<up>) {
    std::cout << "connected at try " << tries_ << '\n';
    tries_ = 0;
    delay_ = 1ms;
    event_timeout(5ms, silence{});
  }
  // It is asked for what is wanted, and when nothing was wanted for a while whether it is there.
  smarm::one_of<smarm::keep, waiting> on(smarm::in<up>, measure, smarm::reply_to<int> answer) {
    const auto got = device_.call(device::measure{}, 1s);
    if (!got) {
      return waiting; // and the caller hears of an error
    }
    answer.reply(*got);
    event_timeout(5ms, silence{});
    return smarm::keep;
  }
  smarm::one_of<smarm::keep, waiting> on(smarm::in<up>, silence) {
    if (!device_.call(device::measure{}, 1s)) {
      return waiting;
    }
    ++checks_;
    event_timeout(5ms, silence{});
    return smarm::keep;
  }

  smarm::postponed on(smarm::any_state, measure, smarm::reply_to<int>); // until it is up
  smarm::ignored on(smarm::any_state, silence);
  smarm::ignored on(smarm::any_state, dial);
  smarm::stopped on(smarm::any_state, smarm::down) {
    std::cout << "the device is gone\n";
    return {};
  }

  [[nodiscard]] int checks() const { return checks_; }

private:
  smarm::server_ref<device> device_;
  std::chrono::milliseconds delay_ = 1ms;
  int tries_ = 0;
  int checks_ = 0;
};
//]

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--graph") {
    std::cout << smarm::transition_graph<connection>();
    return 0;
  }
  smarm::run([] {
    auto d = smarm::start_server<device>().value();
    auto c = smarm::start_server<connection>(d).value();
    auto ended = smarm::monitor(c.id());
    auto asked = c.send_request(connection::measure{}).value();
    const int degrees = asked.recv().value();
    std::cout << "asked before it was there: " << degrees << " degrees\n";

    const auto checks = [&] { // which is no event, and does not break the silence
      return smarm::sys::with_state(c, [](const connection& m) { return m.checks(); }).value();
    };
    while (checks() == 0) {
      smarm::this_actor::sleep_for(1ms);
    }
    std::cout << "silent, but still there\n";
    (void)d.shutdown(smarm::exit_kind::shutdown, 1s);
    (void)ended.recv();
  });
}
//]
