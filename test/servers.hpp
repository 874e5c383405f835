// Copyright (c) 2026 The smarm authors
//
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)
//
// A server for tests that says what is called, in order, and ends in whichever way it is told to.

#ifndef SMARM_TEST_SERVERS_HPP
#define SMARM_TEST_SERVERS_HPP

#include "recorder.hpp"

#include <smarm/channel.hpp>
#include <smarm/exit_reason.hpp>
#include <smarm/gen_server.hpp>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace smarm_test {

class logger : public smarm::gen_server<logger> {
public:
  struct log {}; // a call: everything so far
  struct note {
    std::string what;
  };
  struct wait_for {
    smarm::receiver<int> gate;
  };              // blocks the handler
  struct fail {}; // throws
  struct leave {
    smarm::exit_reason why;
  };
  struct hear {
    smarm::receiver<std::string> from;
  };
  struct watch_it {
    smarm::pid who;
  };
  struct unwatch_it {
    smarm::pid who;
  };
  struct arm {
    std::chrono::nanoseconds delay;
    int payload;
  };
  struct tick {
    std::chrono::nanoseconds period;
    int payload;
  };
  struct cancel_last {};

  explicit logger(recorder& to) : to_(to) {}
  ~logger() { to_.note("destroyed"); }

  void init() { note_it("init"); }
  void terminate(const smarm::exit_reason& why) {
    to_.note(std::string("terminate ") + smarm::to_string(why.kind()) +
             (std::uncaught_exceptions() != 0 ? " while unwinding" : ""));
  }
  strings handle_call(log) const { return seen_; }
  bool handle_call(cancel_last) { return cancel(last_); }
  int handle_call(fail) { throw std::runtime_error("told to"); }
  void handle_cast(note n) { note_it(std::move(n.what)); }
  void handle_cast(wait_for w) {
    to_.note("waits");
    (void)w.gate.recv();
    note_it("waited");
  }
  void handle_cast(fail) { throw std::runtime_error("told to"); }
  void handle_cast(leave l) { stop(std::move(l.why)); }
  void handle_cast(hear h) { receive_info(std::move(h.from)); }
  void handle_cast(watch_it w) { watch(w.who); }
  void handle_cast(unwatch_it w) { note_it(unwatch(w.who) ? "unwatched" : "not watched"); }
  void handle_cast(arm a) { last_ = arm_after(a.delay, a.payload); }
  void handle_cast(tick t) { last_ = tick_every(t.period, t.payload); }
  void handle_info(std::string what) { note_it("info " + what); }
  void handle_timer(int payload) { note_it("timer " + std::to_string(payload)); }
  void handle_down(const smarm::down& d) {
    note_it(std::string("down ") + smarm::to_string(d.reason.kind()));
  }

private:
  void note_it(std::string what) { seen_.push_back(std::move(what)); }

  recorder& to_;
  strings seen_;
  smarm::server_timer last_ = smarm::server_timer::none;
};

} // namespace smarm_test

#endif
